import { explain, likelihoods, multiples, placeOf, places, visible } from '../hidden-counts.ts'

/**
 * A plausible true table, given noisy counts with noise of this variance. Every count is drawn from its posterior, as if the
 * noise were Laplace's, and all are scaled to the total. Unlike the nearest table without negative counts it does not have
 * zeros wherever the noise was negative.
 */
export function plausible(
  noisy: Float64Array,
  { variance, total, random }: { readonly variance: number; readonly total: number; readonly random: () => number },
): Float64Array {
  const scale = Math.sqrt(variance / 2)
  const hidden = (count: number): boolean => count < visible * scale
  const counts = new Int32Array(places)
  for (const count of noisy) if (hidden(count)) counts[placeOf(count / scale)]!++
  const shares = explain(counts)
  const table = noisy.map((count) => (hidden(count) ? scale * drawn(placeOf(count / scale), shares, random) : count))
  const sum = table.reduce((a, b) => a + b, 0)
  return sum > 0 ? table.map((count) => (count * total) / sum) : table.fill(total / table.length)
}

/**
 * As a multiple of the scale, spread out to where the next ones begin. A count that looks like 0 is 0 half of the time: then
 * expected errors are more often too high than too low (docs/algorithms/marginals-afterwards.md).
 */
function drawn(place: number, shares: Float64Array, random: () => number): number {
  const kinds = multiples.length
  const chances = shares.map((share, b) => share * likelihoods[place * kinds + b]!)
  let left = random() * chances.reduce((a, b) => a + b, 0)
  let kind = 0
  while (kind < kinds - 1 && left >= chances[kind]!) left -= chances[kind++]!
  if (kind === 0 && random() < 0.5) return 0
  const [low, high] = [kind - 1, kind].map(middleAfter) as [number, number]
  return low + random() * (high - low)
}

/** Between a multiple and the next. */
const middleAfter = (kind: number): number =>
  kind < 0 ? 0 : (multiples[kind]! + (multiples[kind + 1] ?? multiples[kind]!)) / 2
