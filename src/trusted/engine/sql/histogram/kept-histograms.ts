import type { Histogram } from './histogram.ts'

/** Cells of all that are kept, 32 MB, and of one of them. */
const mostCells = 2 ** 22
const mostOfOne = 2 ** 20

/**
 * The histograms that earlier questions counted, as long as the records stay the same: who asks about the same attributes again
 * need not count again. Which are kept depends on the questions alone; the one that was not used for longest goes first.
 */
export class KeptHistograms {
  readonly #kept = new Map<string, Histogram>()
  #cells = 0

  async of(attributes: readonly number[], count: () => Promise<Histogram>): Promise<Histogram> {
    const key = attributes.join()
    const histogram = this.#kept.get(key) ?? (await count())
    if (histogram.counts.length > mostOfOne) return histogram
    this.#drop(key)
    this.#keep(key, histogram)
    // A copy: what is answered from it belongs to whoever asked.
    return { ...histogram, counts: histogram.counts.slice() }
  }

  #keep(key: string, histogram: Histogram): void {
    this.#kept.set(key, histogram)
    this.#cells += histogram.counts.length
    while (this.#cells > mostCells) this.#drop(this.#kept.keys().next().value!)
  }

  #drop(key: string): void {
    this.#cells -= this.#kept.get(key)?.counts.length ?? 0
    this.#kept.delete(key)
  }
}
