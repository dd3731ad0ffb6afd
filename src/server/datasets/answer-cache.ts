/** So many characters of JSON are kept: objects take about twice as many bytes. */
const usualMost = 2 ** 25

interface Kept {
  readonly value: unknown
  readonly size: number
}

/**
 * The last answers that cost nothing, by what was asked and the ledger's head: where nothing was bought since, they are the same. Bounded by
 * what they take together, since one answer may have a number or a million groups.
 */
export class AnswerCache {
  readonly #most: number
  readonly #kept = new Map<string, Kept>()
  #size = 0

  constructor(most = usualMost) {
    this.#most = most
  }

  get<T>(key: string): T | undefined {
    const found = this.#kept.get(key)
    if (found === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found.value as T
  }

  put(key: string, value: unknown): void {
    this.#drop(key)
    const size = key.length + JSON.stringify(value).length
    // One that is large shall not drive out many that are small.
    if (size > this.#most / 8) return
    this.#kept.set(key, { value, size })
    this.#size += size
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#most) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }
}
