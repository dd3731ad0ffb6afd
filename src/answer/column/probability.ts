import type { ErrorLaw } from '../../inference/index.ts'
import type { Statement } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import { type Affine, affineOf } from './affine.ts'
import type { Threshold } from './threshold.ts'

/** What is known about the part that a column is a multiple of. */
interface KnownNumber {
  readonly estimate: number
  /** Of the number: by the law of the estimate's error, or by what is believed given the answers. */
  readonly law: Pick<ErrorLaw, 'above' | 'atLeast'>
}

/** Pr(times·θ + offset stands so to the threshold), where θ is known as this; `part` is undefined for a constant. */
export function probabilityOf({ operator, value }: Threshold, affine: Affine, part: KnownNumber | undefined): number {
  const { times, offset } = affine
  if (!part || times === 0) return holds[operator](offset, value) ? 1 : 0
  // A negative multiple turns the claim around: -2θ > 6 says that θ < -3.
  const claim = times > 0 ? operator : mirrored[operator]
  const bound = (value - offset) / times
  const { estimate, law } = part
  const p = {
    '>': () => law.above(estimate, bound),
    '>=': () => law.atLeast(estimate, bound),
    '<': () => 1 - law.atLeast(estimate, bound),
    '<=': () => 1 - law.above(estimate, bound),
  }[claim]()
  return Math.min(1, Math.max(0, p))
}

const holds: { readonly [K in Threshold['operator']]: (a: number, b: number) => boolean } = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
}
const mirrored = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' } as const

/** Refuses, before anything is bought, a probability of what is not a multiple of one part. */
export function checkProbability(statement: Statement, threshold: Threshold | undefined): void {
  if (!threshold) return
  for (const column of statement.columns) {
    if (column.kind === 'key' || affineOf(column.expression)) continue
    throw problem(
      'not-supported',
      `no probability can be given for ${column.name}: it is not a multiple of one sum`,
      'Leave out --probability; the answer has an interval.',
    )
  }
}
