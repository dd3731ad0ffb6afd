import { type Judge, reciprocal } from './judge.ts'

/**
 * Judges a noisy count y by what counts x may lie behind it, as all counts of its table show together:
 *
 *   E[ ((y - x)/λ)²/2 · 1/max{δ, x} | y ].
 *
 * The square is what makes it see bad luck: its mean is 1, but where a count was clearly hit by much noise it is more,
 * and lowering the noise there gains more. What x may be is a mixture of multiples of λ, whose weights are those that
 * explain the table best (empirical Bayes, by expectation maximisation). Why, and what it is worth:
 * docs/algorithms/ireduct.md
 */
export const inViewOfNoise: Judge = {
  look(answers, { scale, floor, unit }) {
    const perScale = 1 / (scale * width)
    const far = last * scale
    const place = (answer: number): number => Math.max(0, Math.round(answer * perScale) - offset)
    // How many answers there are in each place, but for those that are visible as they are.
    const counts = new Int32Array(places)
    let total = 0
    for (let i = 0; i < answers.length; i++) {
      const answer = answers[i]!
      if (answer < far) counts[place(answer)]!++
      else total += reciprocal(answer, floor, unit)
    }
    const weights = judged(explain(counts), floor / scale).map((weight) =>
      Math.max(1, Math.round(weight / (unit * scale))),
    )
    for (let i = 0; i < places; i++) total += counts[i]! * weights[i]!
    return {
      weigh: (answer) => (answer < far ? weights[place(answer)]! : reciprocal(answer, floor, unit)),
      total,
      until: 0.9 * scale,
    }
  },
  most: (scale, floor) => mostSquare / Math.max(floor, multiples[0]! * scale),
}

/** The counts that there may be, as multiples of λ. What is smaller than the first cannot be told from it. */
const multiples = Float64Array.from({ length: 8 }, (_, b) => 0.1 * 2 ** b)
/** Noise counts as at most three times its scale: it is more one time in twenty, and one cell should not rule a table. */
const mostSquare = 3 ** 2 / 2
/** How many cells of each kind every table is taken to have besides its own: no kind is ever ruled out. */
const more = 1 / 4
const rounds = 8

/** Noisy counts, as multiples of λ, are told apart to a tenth from -8 to 10. Those above are visible as they are. */
const [first, last, width] = [-8, 10, 0.1]
const places = Math.round((last - first) / width) + 1
const offset = Math.round(first / width)

/** By place and multiple: how likely noise is to make the one of the other (up to a factor by place), and that by the square. */
const likelihoods = new Float64Array(places * multiples.length)
const squares = new Float64Array(places * multiples.length)
for (let place = 0, at = 0; place < places; place++) {
  const seen = first + place * width
  for (const multiple of multiples) {
    const noise = Math.abs(seen - multiple)
    likelihoods[at] = Math.exp(Math.max(0, -seen) - noise)
    squares[at] = likelihoods[at]! * Math.min(noise ** 2 / 2, mostSquare)
    at++
  }
}

/** The share of each multiple (times some number), given how many answers are in each place. */
function explain(counts: Int32Array): Float64Array {
  const kinds = multiples.length
  let shares = new Float64Array(kinds).fill(1)
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(kinds).fill(more)
    for (let place = 0, at = 0; place < places; place++, at += kinds) {
      if (counts[place] === 0) continue
      let sum = 0
      for (let b = 0; b < kinds; b++) sum += shares[b]! * likelihoods[at + b]!
      const per = counts[place]! / sum
      for (let b = 0; b < kinds; b++) next[b]! += per * shares[b]! * likelihoods[at + b]!
    }
    shares = next
  }
  return shares
}

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
