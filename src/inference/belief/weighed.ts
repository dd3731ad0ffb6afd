/** What is believed about a number: Pr(θ > c) and Pr(θ ≥ c), and how far they may be off. */
export interface FlatBelief {
  above(c: number): Likelihood
  atLeast(c: number): Likelihood
}
interface Likelihood {
  readonly probability: number
  /** The probability is within ± this; 0 where it was added up. */
  readonly within: number
}

/** Values so near to c are c: they were rounded on their way here. */
const same = 1e-9

/** Of values with masses that add up to 1, each spread evenly over a column of this width; none where they are exact. */
export function beliefOfMasses(value: (i: number) => number, masses: Float64Array, width: number): FlatBelief {
  const sum = (share: (value: number) => number): Likelihood => {
    let probability = 0
    for (let i = 0; i < masses.length; i++) probability += masses[i]! * share(value(i))
    return { probability: Math.min(1, probability), within: 0 }
  }
  const spread = (c: number) => sum((v) => Math.min(1, Math.max(0, (v - c) / width + 0.5)))
  if (width > 0) return { above: spread, atLeast: spread }
  return {
    above: (c) => sum((v) => (v > c + spare(c) ? 1 : 0)),
    atLeast: (c) => sum((v) => (v >= c - spare(c) ? 1 : 0)),
  }
}
const spare = (c: number) => same * Math.max(1, Math.abs(c))

/** So many standard errors: a bound that fails about once in two million times. */
const errors = 5

/** Of draws with weights: a share of these, within five of its standard errors. */
export function beliefOfDraws(values: Float64Array, weights: Float64Array): FlatBelief {
  const total = weights.reduce((sum, w) => sum + w, 0)
  const share = (holds: (value: number) => boolean): Likelihood => {
    let [held, heldSquares, squares] = [0, 0, 0]
    for (let i = 0; i < values.length; i++) {
      const w = weights[i]! / total
      squares += w * w
      if (!holds(values[i]!)) continue
      held += w
      heldSquares += w * w
    }
    const variance = (1 - held) ** 2 * heldSquares + held ** 2 * (squares - heldSquares)
    // Where no draw or every one holds, there may have been one more that did not.
    return { probability: Math.min(1, held), within: errors * Math.sqrt(Math.max(variance, squares ** 2)) }
  }
  return { above: (c) => share((v) => v > c + spare(c)), atLeast: (c) => share((v) => v >= c - spare(c)) }
}
