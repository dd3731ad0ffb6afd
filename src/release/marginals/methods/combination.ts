import type { Integers } from '../../../query/index.ts'

/** Independent answers to one query, weighted by the inverse of their variances: the best unbiased estimate of them. */
export class Combination {
  readonly values: Float64Array
  /** Of `values`. */
  variance = Number.POSITIVE_INFINITY

  constructor(cells: number) {
    this.values = new Float64Array(cells)
  }

  /** `own` is the answer's variance. */
  add(answer: Integers, own: number): void {
    const share = this.variance === Number.POSITIVE_INFINITY ? 1 : this.variance / (this.variance + own)
    const { values } = this
    for (let i = 0; i < values.length; i++) values[i]! += share * (Number(answer[i]!) - values[i]!)
    this.variance = share === 1 ? own : share * own
  }
}
