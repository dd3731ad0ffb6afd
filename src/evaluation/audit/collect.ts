import type { Bits } from '../../trusted/random/index.ts'
import type { Output, Run } from './mechanism.ts'

/** Milliseconds from any origin; a monotone clock. */
export type Clock = () => number

/** Runs between two looks at the clock. */
const block = 64

/**
 * Runs each of these `count` times, or until the time is up: the same number of times each, at least one block. How many runs
 * fit may depend on what they drew (some draws take longer), so what is collected against the clock serves to choose
 * events; the runs that prove something are counted out beforehand.
 */
export async function collect(
  runs: readonly Run[],
  { count, until, bits, clock }: { count: number; until: number; bits: Bits; clock: Clock },
): Promise<Output[][]> {
  const outputs = runs.map((): Output[] => [])
  while (outputs[0]!.length < count) {
    const upTo = Math.min(count, outputs[0]!.length + block)
    for (const [i, run] of runs.entries()) {
      while (outputs[i]!.length < upTo) {
        const output = run(bits)
        outputs[i]!.push(output instanceof Promise ? await output : output)
      }
    }
    if (clock() >= until) break
  }
  return outputs
}
