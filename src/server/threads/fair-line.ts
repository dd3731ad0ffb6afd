type Begin = () => void

/**
 * Work of which only so much is under way at once. Callers who have to wait take turns, however much each of them asks for: a thousand
 * questions of one keep the first question of another waiting for as long as a few of them take.
 */
export class FairLine {
  readonly #most: () => number
  #underWay = 0
  /** What each caller waits for, oldest first; whose turn is next comes first. */
  readonly #waiting = new Map<string, Begin[]>()

  /** `most` may change. */
  constructor(most: () => number) {
    this.#most = most
  }

  async do<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const turn = new Promise<void>((begin) => {
      const own = this.#waiting.get(caller)
      if (own) own.push(begin)
      else this.#waiting.set(caller, [begin])
    })
    this.#begin()
    await turn
    try {
      return await work()
    } finally {
      this.#underWay--
      this.#begin()
    }
  }

  /** Whoever has had a turn goes to the end of the line. */
  #begin(): void {
    for (const [caller, own] of this.#waiting) {
      if (this.#underWay >= this.#most()) return
      this.#underWay++
      own.shift()!()
      this.#waiting.delete(caller)
      if (own.length > 0) this.#waiting.set(caller, own)
    }
  }
}
