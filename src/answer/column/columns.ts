import { toNumber } from '../../numeric/index.ts'
import { arrange, type Expression, evaluateInterval, type Statement } from '../../query/index.ts'
import { addSpending, type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import type { ColumnAnswer, Density, Estimate } from '../answer.ts'
import type { AlwaysWidths } from '../known/always.ts'
import type { AnswersBehind } from '../known/evidence.ts'
import type { Joint } from '../known/joint.ts'
import type { KnownPart } from '../known/known-part.ts'
import type { Cost } from '../price/cost.ts'
import { fieller } from '../ratio/fieller.ts'
import { ratioOf } from '../ratio/ratio.ts'
import { affineOf } from './affine.ts'
import { densityOf } from './density.ts'
import { confidenceOfEach, partsOf } from './interval.ts'
import { probabilityOf } from './probability.ts'
import type { Threshold } from './threshold.ts'

/** How sure intervals are to be. */
interface Sure {
  /** Of each interval by itself. */
  readonly confidence: number
  /** How two parts' errors go together; undefined where that is not known. */
  readonly joint?: Joint
  /** Of a ratio's interval, where it must be surer than others. */
  readonly ratioConfidence?: number
}

/** What the columns are computed for. */
interface Wanted extends Sure {
  readonly probability?: Threshold
  /** The answers that the parts were made of. */
  readonly behind?: AnswersBehind
  readonly density?: number
  readonly cost: (spending: Spending) => Cost
  /** Where intervals must hold whatever was asked before, and why. */
  readonly always?: AlwaysWidths
}

/** The columns of the SELECT, computed from what is known about its parts. */
export function columnsOf(statement: Statement, parts: readonly KnownPart[], wanted: Wanted): ColumnAnswer[] {
  const rows = arrange(
    statement,
    parts.map(({ values }) => values),
  )
  return statement.columns.flatMap((column, i): ColumnAnswer[] => {
    if (column.kind === 'key') return []
    const { name, expression } = column
    const interval = intervalIn(expression, parts, wanted)
    const probability = probabilityIn(expression, parts, wanted)
    const groups = rows.map((row) => ({
      key: Object.fromEntries(statement.axes.map((axis, k) => [axis.name, row.keys[k]!])),
      ...interval(row.cells[i] as number | null, row.group),
      ...probability(row.group),
    }))
    const cost = wanted.cost(priceOfAll([...partsOf(expression)].map((part) => parts[part]!)))
    // Without GROUP BY there is one row, unless HAVING or LIMIT took it away.
    const [only] = groups
    if (statement.axes.length > 0 || !only) return [{ name, cost, groups }]
    const { key: _, ...single } = only
    return [{ name, cost, ...single, ...densityIn(expression, single, statement, parts, wanted.density) }]
  })
}

function densityIn(
  e: Expression,
  single: Estimate,
  statement: Statement,
  parts: readonly KnownPart[],
  columns: number | undefined,
): { density?: Density } {
  const affine = affineOf(e)
  if (columns === undefined || affine?.part === undefined || affine.times === 0) return {}
  const step = toNumber(statement.parts[affine.part]!.step)
  return densityOf(single, affine, { posterior: parts[affine.part]!.posterior(0), step }, columns)
}

export const priceOfAll = (parts: readonly { readonly price: Spending }[]): Spending =>
  parts.map(({ price }) => price).reduce(addSpending, zeroSpending)

type Bounds = ReturnType<typeof evaluateInterval>

/** Bounds on the expression in a group. */
export const boundsIn = (e: Expression, parts: readonly KnownPart[], sure: Sure): ((group: number) => Bounds) =>
  ratioBounds(e, parts, sure) ?? boundsOf(e, parts, (ratioOf(e) && sure.ratioConfidence) ?? sure.confidence)

/** The number with its interval: for this answer alone, or such that it holds always. */
function intervalIn(e: Expression, parts: readonly KnownPart[], wanted: Wanted) {
  const bounds = boundsIn(e, parts, wanted)
  const { always } = wanted
  if (!always) return (value: number | null, group: number): Estimate => estimate(value, bounds(group))
  const wide = boundsBy(e, parts, (part, group) => always.halfWidth(part, group))
  return (value: number | null, group: number): Estimate => ({
    ...estimate(value, wide(group)),
    withinAlone: estimate(value, bounds(group)).within,
  })
}

/** From its parts' intervals, which hold all at once. */
function boundsOf(e: Expression, parts: readonly KnownPart[], confidence: number): (group: number) => Bounds {
  const each = confidenceOfEach(confidence, partsOf(e).size)
  return boundsBy(e, parts, (part, group) => part.posterior(group).halfWidth(each))
}

function boundsBy(
  e: Expression,
  parts: readonly KnownPart[],
  halfWidth: (part: KnownPart, group: number) => number,
): (group: number) => Bounds {
  const used = partsOf(e)
  return (group) =>
    evaluateInterval(
      e,
      parts.map((part, i) => {
        const half = used.has(i) ? halfWidth(part, group) : 0
        return { low: part.values[group]! - half, high: part.values[group]! + half }
      }),
    )
}

/** The same by Fieller's argument, which is narrower, for a ratio of two parts whose errors are known jointly. */
function ratioBounds(
  e: Expression,
  parts: readonly KnownPart[],
  { joint, ...sure }: Sure,
): ((group: number) => Bounds) | undefined {
  const ratio = joint && ratioOf(e)
  if (!ratio) return undefined
  const confidence = sure.ratioConfidence ?? sure.confidence
  const pair = [ratio.numerator.part, ratio.denominator.part] as const
  const bounds = joint(pair, confidence)
  const boxes = boundsOf(e, parts, confidence)
  return (group) => {
    const values = [parts[pair[0]]!.values[group]!, parts[pair[1]]!.values[group]!] as const
    return fieller(ratio, values, bounds(group)) ?? boxes(group)
  }
}

export function estimate(value: number | null, { low, high }: Bounds): Estimate {
  const finite = (x: number) => (Number.isFinite(x) ? x : null)
  return {
    estimate: value,
    interval: [finite(low), finite(high)],
    within: value === null ? null : finite(Math.max(value - low, high - value)),
  }
}

type Likely = Pick<Estimate, 'probability' | 'probabilityGiven' | 'probabilityWithin'>

/** How likely the claim is given the answers themselves, where that is known; else given the estimate that they make. */
function probabilityIn(
  e: Expression,
  parts: readonly KnownPart[],
  { probability: threshold, behind }: Pick<Wanted, 'probability' | 'behind'>,
): (group: number) => Likely {
  const affine = affineOf(e)
  if (!threshold || !affine) return () => ({})
  const { part } = affine
  if (part === undefined) return () => ({ probability: probabilityOf(threshold, affine, undefined) })
  return (group) => {
    const known = { estimate: parts[part]!.values[group]!, posterior: parts[part]!.posterior(group) }
    const isOne = behind === undefined || behind.isOne(part, group)
    const belief = isOne ? undefined : behind.belief(part, group)
    if (!belief)
      return {
        probability: probabilityOf(threshold, affine, known),
        probabilityGiven: isOne ? 'answers' : 'estimate',
      }
    let within = 0
    const told = ({ probability, within: off }: { probability: number; within: number }) => {
      within = off
      return probability
    }
    const posterior = {
      above: (_: number, c: number) => told(belief.above(c)),
      atLeast: (_: number, c: number) => told(belief.atLeast(c)),
    }
    const probability = probabilityOf(threshold, affine, { ...known, posterior })
    return { probability, probabilityGiven: 'answers', ...(within > 0 ? { probabilityWithin: within } : {}) }
  }
}
