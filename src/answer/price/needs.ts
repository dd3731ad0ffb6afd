import { gaussianHalfWidth, toNumber } from '../../numeric/index.ts'
import type { Expression, Statement } from '../../query/index.ts'
import { problem, usage } from '../../schema/index.ts'
import { affineOf } from '../column/affine.ts'
import { isNumber } from '../column/interval.ts'
import type { RatioGoal } from '../ratio/goal.ts'
import { ratioOf } from '../ratio/ratio.ts'

/** How precise the parts of a statement must be for its columns to lie within ± `within`. */
export interface Needs {
  /** Half-width of each part by itself; Infinity if no column is a multiple of it. */
  readonly parts: readonly number[]
  /** Columns that are ratios of two parts, which need them precise together. */
  readonly ratios: readonly (RatioGoal & { readonly expression: Expression })[]
}

/** Every column must be a multiple of one part, of a sum of its groups, or a ratio of two parts, plus a constant; or a rank by such. */
export function needsOf(
  statement: Statement,
  { within, floor, confidence }: { within: number; floor?: number; confidence: number },
): Needs {
  const parts = statement.parts.map(() => Number.POSITIVE_INFINITY)
  const ratios: (RatioGoal & { expression: Expression })[] = []
  const needMultiple = ({ part, times, groups }: Multiple) => {
    parts[part] = Math.min(parts[part]!, within / Math.abs(times) / widening(groups, confidence))
  }
  for (const column of statement.columns) {
    if (column.kind === 'key') continue
    const { expression } = column
    const multiples = multiplesOf(expression, statement)
    const ratio = multiples || statement.rows ? undefined : ratioOf(expression)
    if (ratio) ratios.push({ ratio, within: within / Math.abs(ratio.times), expression })
    else if (!multiples) throw unsupported(column.name)
    else multiples.forEach(needMultiple)
  }
  if (floor !== undefined && ratios.length === 0) throw floorless()
  const used = ratios.flatMap(({ ratio }) => [ratio.numerator.part, ratio.denominator.part])
  if (parts.some((need, part) => need === Number.POSITIVE_INFINITY && !used.includes(part)))
    throw unsupported('HAVING or ORDER BY')
  return { parts, ratios }
}

/** So many groups of a part, added up, times a number. */
interface Multiple {
  readonly part: number
  readonly times: number
  readonly groups: number
}

/** What a column is a multiple of; of a rank, what it is by. undefined if it is none, [] for a constant. */
function multiplesOf(e: Expression, statement: Statement): Multiple[] | undefined {
  const groupsIn = (rows: readonly number[]) =>
    statement.rows ? rows.reduce((n, row) => n + statement.rows![row]!.groups.length, 0) : rows.length
  const mostIn = (frames: readonly (readonly number[])[]) =>
    [...new Set(frames)].reduce((most, frame) => Math.max(most, groupsIn(frame)), 1)
  if (e.kind === 'clip') return multiplesOf(e.of, statement)
  if (e.kind === 'window-sum') return [{ part: e.part, times: 1, groups: mostIn(e.frames) }]
  if (e.kind === 'window-rank') {
    const by = e.by.flatMap((order) => (isNumber(order.by) ? [multiplesOf(order.by, statement)] : []))
    return by.every((each) => each !== undefined) ? by.flat() : undefined
  }
  if (e.kind === 'product' && e.left.kind === 'constant' && e.right.kind === 'window-sum')
    return [{ part: e.right.part, times: toNumber(e.left.value), groups: mostIn(e.right.frames) }]
  const affine = affineOf(e)
  const most = statement.rows?.reduce((n, { groups }) => Math.max(n, groups.length), 1) ?? 1
  if (!affine) return undefined
  return affine.part === undefined ? [] : [{ part: affine.part, times: affine.times, groups: most }]
}

/**
 * How many times wider than one noise's the interval of a sum of so many is, at most: √n times for normal noise. Laplace noise has a wider
 * interval by itself at high confidences, and at low ones a narrower, by what a normal law of its variance would make it.
 */
function widening(groups: number, confidence: number): number {
  if (groups === 1) return 1
  const normal = gaussianHalfWidth(largeVariance, confidence) / Math.sqrt(largeVariance)
  return Math.sqrt(groups) * Math.max(1, (Math.SQRT2 * normal) / -Math.log(1 - confidence))
}
/** So large that steps of 1 do not matter. */
const largeVariance = 1e8

const unsupported = (what: string) =>
  problem(
    'not-supported',
    `${what} cannot be asked for with a half-width: it is neither a multiple of one sum nor a ratio of two sums over the same groups`,
    'Ask with --epsilon instead: the answer says how precise it is. Asking again with a larger ε narrows the interval.',
  )

const floorless = () =>
  usage(
    'a floor works with --relative, or with ratios such as AVG',
    'Leave it out: a count or sum has the same half-width whatever its size.',
  )
