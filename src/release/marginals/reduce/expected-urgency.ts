import { explain, likelihoods, multiples, placeOf, places, seenAt, visible } from '../hidden-counts.ts'
import { type Judge, reciprocal } from './judge.ts'

/**
 * Judges a noisy count y by what counts x may lie behind it, as all counts of its table show together:
 *
 *   E[ ((y - x)/λ)²/2 · 1/max{δ, x} | y ].
 *
 * The square is what makes it see bad luck: its mean is 1, but where a count was clearly hit by much noise it is more,
 * and lowering the noise there gains more. Why, and what it is worth: docs/algorithms/ireduct.md
 */
export const expectedUrgency: Judge = {
  look(answers, { scale, floor, unit }) {
    const far = visible * scale
    // How many answers there are in each place, but for those that are visible as they are.
    const counts = new Int32Array(places)
    let total = 0
    for (let i = 0; i < answers.length; i++) {
      const answer = answers[i]!
      if (answer < far) counts[placeOf(answer / scale)]!++
      else total += reciprocal(answer, floor, unit)
    }
    const weights = judged(explain(counts), floor / scale).map((weight) =>
      Math.max(1, Math.round(weight / (unit * scale))),
    )
    for (let i = 0; i < places; i++) total += counts[i]! * weights[i]!
    return {
      weigh: (answer) => (answer < far ? weights[placeOf(answer / scale)]! : reciprocal(answer, floor, unit)),
      total,
      until: 0.9 * scale,
    }
  },
  most: (scale, floor) => mostSquare / Math.max(floor, multiples[0]! * scale),
}

/** Noise counts as at most three times its scale: it is more one time in twenty, and one cell should not rule a table. */
const mostSquare = 3 ** 2 / 2

/** By place and multiple: the likelihood times half the square of the noise. */
const squares = likelihoods.map((likelihood, at) => {
  const noise = seenAt(Math.floor(at / multiples.length)) - multiples[at % multiples.length]!
  return likelihood * Math.min(noise ** 2 / 2, mostSquare)
})

/** The judgement of each place, for δ as a multiple of λ. */
function judged(shares: Float64Array, floor: number): Float64Array {
  const kinds = multiples.length
  const weights = new Float64Array(places)
  for (let place = 0, at = 0; place < places; place++, at += kinds) {
    let [sum, all] = [0, 0]
    for (let b = 0; b < kinds; b++) {
      sum += (shares[b]! * squares[at + b]!) / Math.max(floor, multiples[b]!)
      all += shares[b]! * likelihoods[at + b]!
    }
    weights[place] = sum / all
  }
  return weights
}
