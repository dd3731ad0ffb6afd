/** Queries by urgency, the most urgent on top; of equally urgent ones the first. */
export class UrgencyHeap {
  readonly #queries: Int32Array
  readonly #urgencies: Float64Array
  #size: number

  /** By query. */
  constructor(urgencies: Float64Array) {
    this.#size = urgencies.length
    this.#urgencies = urgencies.slice()
    this.#queries = Int32Array.from(urgencies.keys())
    for (let i = (this.#size >> 1) - 1; i >= 0; i--) this.#sink(i)
  }

  get size(): number {
    return this.#size
  }
  get top(): number {
    return this.#queries[0]!
  }
  /** Gives the one on top another urgency. */
  change(urgency: number): void {
    this.#urgencies[this.top] = urgency
    this.#sink(0)
  }
  /** Takes out the one on top. */
  drop(): void {
    this.#queries[0] = this.#queries[--this.#size]!
    this.#sink(0)
  }

  #sink(from: number): void {
    const [queries, size] = [this.#queries, this.#size]
    const query = queries[from]!
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && this.#before(queries[child + 1]!, queries[child]!)) child++
      if (!this.#before(queries[child]!, query)) break
      queries[at] = queries[child]!
      at = child
    }
    queries[at] = query
  }
  #before(a: number, b: number): boolean {
    const [left, right] = [this.#urgencies[a]!, this.#urgencies[b]!]
    return left > right || (left === right && a < b)
  }
}
