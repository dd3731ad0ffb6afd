import type { Order, WindowRank, WindowSum } from '../statement.ts'

/** Below 0 where the first of two rows comes first. */
type RowOrder = (by: readonly Order[]) => (a: number, b: number) => number

/** What window functions are in each row, given the parts' answers in all of them. */
export class WindowValues {
  readonly #values: readonly ArrayLike<number>[]
  readonly #order: RowOrder
  /** By frames, which rows share. */
  readonly #sums = new Map<readonly number[], Map<number, number>>()
  readonly #ranks = new Map<WindowRank, Map<number, number>>()

  constructor(values: readonly ArrayLike<number>[], order: RowOrder) {
    this.#values = values
    this.#order = order
  }

  at(window: WindowSum | WindowRank, row: number): number {
    return window.kind === 'window-sum' ? this.#sum(window, row) : this.#rank(window, row)
  }

  #sum({ part, frames, isMean }: WindowSum, row: number): number {
    const frame = frames[row]!
    if (frame.length === 0) return Number.NaN
    const known = this.#sums.get(frame) ?? new Map<number, number>()
    this.#sums.set(frame, known)
    let sum = known.get(part)
    if (sum === undefined) {
      sum = frame.reduce((total, other) => total + this.#values[part]![other]!, 0)
      known.set(part, sum)
    }
    return isMean ? sum / frame.length : sum
  }

  #rank(window: WindowRank, row: number): number {
    let ranks = this.#ranks.get(window)
    if (!ranks) {
      ranks = new Map()
      this.#ranks.set(window, ranks)
    }
    if (!ranks.has(row)) for (const [other, rank] of this.#ranksIn(window, window.frames[row]!)) ranks.set(other, rank)
    return ranks.get(row)!
  }

  /** Rows that are equal keep the order of the groups. */
  *#ranksIn({ by, ties }: WindowRank, frame: readonly number[]): Generator<[row: number, rank: number]> {
    const compare = this.#order(by)
    const sorted = frame.toSorted(compare)
    let rank = 0
    for (const [i, row] of sorted.entries()) {
      const isTied = i > 0 && ties !== 'row' && compare(sorted[i - 1]!, row) === 0
      if (!isTied) rank = ties === 'dense' ? rank + 1 : i + 1
      yield [row, rank]
    }
  }
}
