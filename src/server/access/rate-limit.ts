/** So many requests a second for each key, and twice as many at once. */
export class RateLimit {
  readonly #perSecond: number
  readonly #clock: () => number
  readonly #buckets = new Map<string, { level: number; at: number }>()

  /** 0 a second: no limit. The clock is one that nobody sets: set back by an hour, it would refuse everybody for an hour. */
  constructor(perSecond: number, clock: () => number = () => performance.now()) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  /** Whether one more is too many. */
  isExceeded(key: string): boolean {
    if (this.#perSecond === 0) return false
    const now = this.#clock()
    if (this.#buckets.size > 10_000) this.#forget(now)
    const { level, at } = this.#buckets.get(key) ?? { level: 0, at: now }
    const drained = Math.max(0, level - ((now - at) / 1000) * this.#perSecond)
    const isFull = drained + 1 > 2 * this.#perSecond
    this.#buckets.set(key, { level: isFull ? drained : drained + 1, at: now })
    return isFull
  }

  /** Whoever has not asked for two seconds has an empty bucket, as everybody new has. */
  #forget(now: number): void {
    for (const [key, { at }] of this.#buckets) if (now - at > 2000) this.#buckets.delete(key)
  }
}
