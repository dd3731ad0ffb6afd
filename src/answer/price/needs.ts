import type { Expression, Statement } from '../../query/index.ts'
import { problem, usage } from '../../schema/index.ts'
import { affineOf } from '../column/affine.ts'
import type { RatioGoal } from '../ratio/laws.ts'
import { ratioOf } from '../ratio/ratio.ts'

/** How precise the parts of a statement must be for its columns to lie within ± `within`. */
export interface Needs {
  /** Half-width of each part by itself; Infinity where no column is a multiple of it. */
  readonly parts: readonly number[]
  /** Columns that are ratios of two parts, which need them precise together. */
  readonly ratios: readonly (RatioGoal & { readonly expression: Expression })[]
}

/** Every column must be a multiple of one part, or a ratio of two, plus a constant. */
export function needsOf(statement: Statement, { within, floor }: { within: number; floor?: number }): Needs {
  const parts = statement.parts.map(() => Number.POSITIVE_INFINITY)
  const ratios: (RatioGoal & { expression: Expression })[] = []
  for (const column of statement.columns) {
    if (column.kind === 'key') continue
    const { expression } = column
    const affine = affineOf(expression)
    const ratio = affine ? undefined : ratioOf(expression)
    if (ratio) ratios.push({ ratio, within: within / Math.abs(ratio.times), expression })
    else if (!affine) throw unsupported(column.name)
    else if (affine.part !== undefined)
      parts[affine.part] = Math.min(parts[affine.part]!, within / Math.abs(affine.times))
  }
  if (floor !== undefined && ratios.length === 0) throw floorless()
  const used = ratios.flatMap(({ ratio }) => [ratio.numerator.part, ratio.denominator.part])
  if (parts.some((need, part) => need === Number.POSITIVE_INFINITY && !used.includes(part)))
    throw unsupported('HAVING or ORDER BY')
  return { parts, ratios }
}

const unsupported = (what: string) =>
  problem(
    'not-supported',
    `no half-width can be asked of ${what}: it is neither a multiple of one sum nor a ratio of two`,
    'Ask with --epsilon instead: the answer says how precise it is. Asking again with a larger ε narrows it.',
  )

const floorless = () =>
  usage(
    'a floor works with --relative, or with ratios such as AVG',
    'Leave it out: a count or sum has the same half-width whatever its size.',
  )
