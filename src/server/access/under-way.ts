/**
 * What each caller waits for answers to, added up: bytes of requests, or their number. They may come faster than they are answered. Few short ones
 * are nothing, but half a megabyte a hundred times a second fills the memory within a minute, and a hundred that take seconds each
 * keep everybody else waiting for minutes.
 */
export class UnderWay {
  readonly #most: number
  readonly #amounts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether this is too much; otherwise it counts until the answer is sent, or nobody waits for it any more. */
  isExceeded(key: string, amount: number, answer: { on(event: 'close', ended: () => void): unknown }): boolean {
    const now = (this.#amounts.get(key) ?? 0) + amount
    if (now > this.#most) return true
    if (amount === 0) return false
    this.#amounts.set(key, now)
    answer.on('close', () => {
      const left = this.#amounts.get(key)! - amount
      if (left > 0) this.#amounts.set(key, left)
      else this.#amounts.delete(key)
    })
    return false
  }
}
