/**
 * What noisy counts say about the relative errors in them: the expected error per unit of noise, which is 1/max{δ, x}
 * for the count x that a noisy one hides.
 */
export interface Judge {
  /** Looks at all the answers of a query. */
  look(answers: Float64Array, seen: Seen): Verdict
  /** What no answer at this scale is weighed above. Falls with the scale, but less than its square. */
  most(scale: number, floor: number): number
}

/** With noise of which scale, and for which δ; weights come in whole multiples of `unit`, so that sums are exact. */
interface Seen {
  readonly scale: number
  readonly floor: number
  readonly unit: number
}

export interface Verdict {
  /** Of an answer, in units: 1 at least, so that however large the counts, a marginal is never out of the running. */
  weigh(answer: number): number
  /** Of all the answers. */
  readonly total: number
  /** At or below which scale to look again. 0: never. */
  readonly until: number
}

/** Of a count that is taken for what it says. */
export const reciprocal = (count: number, floor: number, unit: number): number =>
  Math.max(1, Math.round(1 / (unit * Math.max(floor, count))))

/** As in §5.3: a noisy count is what it says. */
export const urgencyAsPrinted: Judge = {
  look(answers, { floor, unit }) {
    let total = 0
    for (let i = 0; i < answers.length; i++) total += reciprocal(answers[i]!, floor, unit)
    return { weigh: (answer) => reciprocal(answer, floor, unit), total, until: 0 }
  },
  most: (_scale, floor) => 1 / floor,
}
