/** The last answers that cost nothing, by what was asked and the ledger's head: where nothing was bought since, they are the same. */
export class AnswerCache {
  readonly #most: number
  readonly #kept = new Map<string, unknown>()

  constructor(most = 2000) {
    this.#most = most
  }

  get<T>(key: string): T | undefined {
    const found = this.#kept.get(key)
    if (found === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found as T
  }

  put(key: string, value: unknown): void {
    this.#kept.set(key, value)
    if (this.#kept.size <= this.#most) return
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest)
      return
    }
  }
}
