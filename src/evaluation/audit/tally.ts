import { firstWhere } from '../../numeric/index.ts'
import type { Bits } from '../../trusted/random/index.ts'
import { holds } from './choose.ts'
import type { Count } from './clopper-pearson.ts'
import type { Run } from './mechanism.ts'
import type { Suspicion } from './search.ts'

/** Outputs of about equal score: how often they came on either input, and the log of that ratio. */
export interface Loss {
  readonly loss: number
  readonly likely: number
  readonly unlikely: number
}

/** Counts on the input where the event seems likely and on the other one. */
export interface Tally {
  readonly likely: Count
  readonly unlikely: Count
  readonly losses: Loss[]
}

/** Runs both inputs of the suspected pair so many times and counts the suspected event. */
export async function tally(
  { pair, score, threshold, cuts }: Suspicion,
  trials: number,
  bits: Bits,
  progress: (done: number) => void,
): Promise<Tally> {
  const [likelyRun, unlikelyRun] = threshold.likely === 'left' ? [pair.left, pair.right] : [pair.right, pair.left]
  const parts = { likely: new Float64Array(cuts.length + 1), unlikely: new Float64Array(cuts.length + 1) }
  const count = async (run: Run, histogram: Float64Array, before: number): Promise<Count> => {
    let hits = 0
    for (let i = 0; i < trials; i++) {
      const output = run(bits)
      const scored = score(output instanceof Promise ? await output : output)
      if (holds(threshold, scored)) hits++
      histogram[partOf(cuts, scored)]!++
      if (i % 4096 === 0) progress(before + i / (2 * trials))
    }
    return { hits, trials }
  }
  const likely = await count(likelyRun, parts.likely, 0)
  const unlikely = await count(unlikelyRun, parts.unlikely, 0.5)
  // Half a count keeps empty parts finite; the histogram is for looking at.
  const losses = Array.from(parts.likely, (p, i) => {
    const q = parts.unlikely[i]!
    return { loss: Math.log((p + 0.5) / (q + 0.5)), likely: p, unlikely: q }
  })
  return { likely, unlikely, losses: losses.filter((part) => part.likely + part.unlikely > 0) }
}

/** Number of cuts that are at or below the score. */
const partOf = (cuts: Float64Array, score: number): number => firstWhere(0, cuts.length, (i) => cuts[i]! > score)
