import { firstWhere } from '../../numeric/index.ts'

/** The outputs whose score is at least (at most) `at`, and the input on which they seem likelier. */
interface Threshold {
  readonly likely: 'left' | 'right'
  readonly tail: 'at least' | 'at most'
  readonly at: number
}

/** A threshold with what it seems to prove, from the samples that it was chosen on: biased, good for comparing only. */
export interface Candidate extends Threshold {
  readonly promise: number
}

/** Standard errors taken off before thresholds are compared, so that the luckiest of the rare events does not win. */
const caution = 3
/** Thresholds tried per side: events of 1, 2, 3, … hits up to all, growing by a twentieth. */
const growth = 1.05

/** The threshold on the scores that seems to prove most about ε at this δ. */
export function chooseThreshold(left: Float64Array, right: Float64Array, delta: number): Candidate {
  const [l, r] = [left.toSorted(), right.toSorted()]
  const [down, up] = [negated(l), negated(r)]
  const candidates: Candidate[] = [
    { likely: 'left', tail: 'at least', ...best(l, r, delta) },
    { likely: 'right', tail: 'at least', ...best(r, l, delta) },
    { likely: 'left', tail: 'at most', ...mirrored(best(down, up, delta)) },
    { likely: 'right', tail: 'at most', ...mirrored(best(up, down, delta)) },
  ]
  return candidates.reduce((a, b) => (b.promise > a.promise ? b : a))
}

const mirrored = ({ at, promise }: { at: number; promise: number }) => ({ at: -at, promise })

/** Over the events "score at least t", t a score of the likely side; both arrays ascend. */
function best(likely: Float64Array, unlikely: Float64Array, delta: number): { at: number; promise: number } {
  let found = { at: likely.at(-1)!, promise: Number.NEGATIVE_INFINITY }
  for (let wanted = 1; wanted <= likely.length; wanted = Math.max(wanted + 1, Math.floor(wanted * growth))) {
    const at = likely[likely.length - wanted]!
    const hits = likely.length - firstAtLeast(likely, at)
    const misses = unlikely.length - firstAtLeast(unlikely, at)
    const promise = guess(hits / likely.length, misses / unlikely.length, likely.length, unlikely.length, delta)
    if (promise > found.promise) found = { at, promise }
  }
  return found
}

/** ln((p - δ)/q) with p taken lower and q higher by Wilson's bounds. */
function guess(p: number, q: number, n: number, m: number, delta: number): number {
  const low = wilson(p, n, -caution) - delta
  return low > 0 ? Math.log(low / wilson(q, m, caution)) : Number.NEGATIVE_INFINITY
}

const wilson = (p: number, n: number, z: number): number => {
  const zz = (z * z) / n
  return (p + zz / 2 + z * Math.sqrt((p * (1 - p)) / n + zz / (4 * n))) / (1 + zz)
}

/** Index of the first entry that is not below t. */
const firstAtLeast = (sorted: Float64Array, t: number): number => firstWhere(0, sorted.length, (i) => sorted[i]! >= t)

const negated = (sorted: Float64Array): Float64Array => sorted.map((v) => -v).reverse()

export const holds = ({ tail, at }: Threshold, score: number): boolean =>
  tail === 'at least' ? score >= at : score <= at
