import { toNumber } from '../../numeric/index.ts'
import { arrange, type Expression, type Statement } from '../../query/index.ts'
import { addSpending, type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import type { ColumnAnswer, Density, Estimate } from '../answer.ts'
import type { AlwaysWidths } from '../known/always.ts'
import type { AnswersBehind } from '../known/evidence.ts'
import type { Joint } from '../known/joint.ts'
import type { KnownPart } from '../known/known-part.ts'
import type { SumWidths } from '../known/sums.ts'
import type { Cost } from '../price/cost.ts'
import type { KnownQuantile } from '../quantile/known-quantile.ts'
import { quantilesOf } from '../quantile/needs.ts'
import { fieller } from '../ratio/fieller.ts'
import { ratioOf } from '../ratio/ratio.ts'
import { affineOf } from './affine.ts'
import { type Bounds, boundsBy, boundsOf, type HalfWidth } from './bounds.ts'
import { overNobody } from './denominators.ts'
import { densityOf } from './density.ts'
import { probabilityFirst } from './first.ts'
import { partsOf } from './interval.ts'
import type { cutAtPossible } from './possible.ts'
import { probabilityOf } from './probability.ts'
import { covers, estimate, hasQuotient, possibleOf } from './silence.ts'
import type { Threshold } from './threshold.ts'

/** How sure intervals are to be. */
interface Sure {
  /** Of each interval by itself. */
  readonly confidence: number
  /** How two parts' errors go together; undefined if that is not known. */
  readonly joint?: Joint
  /** Of a ratio's interval, where it must be surer than others. */
  readonly ratioConfidence?: number
  readonly quantiles?: readonly KnownQuantile[]
  /** The laws of sums of groups. */
  readonly sums?: SumWidths
  readonly statement?: Pick<Statement, 'axes' | 'rows' | 'parts'>
}

/** What the columns are computed for. */
interface Wanted extends Sure {
  readonly probability?: Threshold
  /** The answers that the parts were made of. */
  readonly behind?: AnswersBehind
  readonly density?: number
  readonly cost: (spending: Spending) => Cost
  /** Cuts off of an expression's intervals what is impossible. */
  readonly cut?: ReturnType<typeof cutAtPossible>
  /** Where intervals must hold whatever was asked before, and why. */
  readonly always?: AlwaysWidths
}

/** The columns of the SELECT, computed from what is known about its parts. */
export function columnsOf(statement: Statement, parts: readonly KnownPart[], wanted: Wanted): ColumnAnswer[] {
  const sure: Wanted = { ...wanted, statement }
  const rows = arrange(
    statement,
    parts.map(({ values }) => values),
    wanted.quantiles?.map(({ values }) => values),
    unknownIn(parts, sure),
  )
  const first = probabilityFirst(statement, parts)
  return statement.columns.flatMap((column, i): ColumnAnswer[] => {
    if (column.kind === 'key') return []
    const { name, expression, decimals } = column
    const told = intervalIn(expression, parts, sure)
    const cut = wanted.cut?.(expression) ?? ((of: Estimate) => of)
    const possible = cut(estimate(null, possibleOf(expression, parts.length, wanted.quantiles?.length)))
    const isOfNobody = overNobody(expression, parts, sure)
    const interval = roundedTo(decimals, (value, group) => {
      const found = cut(told(value, group))
      if (covers(found, possible)) return { ...found, estimate: null, within: null }
      return isOfNobody(group) ? { ...found, ...possible } : found
    })
    const probability = probabilityIn(expression, parts, wanted)
    const groups = rows.map((row) => ({
      key: Object.fromEntries(statement.axes.map((axis, k) => [axis.name, row.keys[k]!])),
      ...totalOf(statement, row.group),
      ...dated(expression, interval(row.cells[i] as number | null, row.group), wanted.quantiles),
      ...probability(row.group),
      ...(first && { probabilityFirst: first(row.group) }),
    }))
    const used = [...quantilesOf(expression)].map((quantile) => wanted.quantiles![quantile]!)
    const cost = wanted.cost(priceOfAll([...[...partsOf(expression)].map((part) => parts[part]!), ...families(used)]))
    // Without GROUP BY there is one row, unless HAVING or LIMIT took it away.
    const [only] = groups
    if (statement.axes.length > 0 || !only) return [{ name, cost, groups }]
    const { key: _, ...single } = only
    return [{ name, cost, ...single, ...densityIn(expression, single, statement, parts, wanted.density) }]
  })
}

/** Which keys a row is the total of. */
function totalOf({ axes, rows }: Statement, row: number): { all?: readonly string[] } {
  const all = rows?.[row]?.all
  return all ? { all: all.map((axis) => axes[axis]!.name) } : {}
}

/** The number rounded, and its interval outwards, so that it holds as before. */
function roundedTo(decimals: number | undefined, of: (value: number | null, group: number) => Estimate): typeof of {
  if (decimals === undefined) return of
  const to = (round: (x: number) => number, x: number | null) =>
    x === null ? null : Number(round(x * 10 ** decimals) / 10 ** decimals)
  return (value, group) => {
    const { interval, ...rest } = of(to(Math.round, value), group)
    return { ...rest, interval: [to(Math.floor, interval[0]), to(Math.ceil, interval[1])] }
  }
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
  return densityOf(single, affine, { errorLaw: parts[affine.part]!.errorLaw(0), step }, columns)
}

export const priceOfAll = (parts: readonly { readonly price: Spending }[]): Spending =>
  parts.map(({ price }) => price).reduce(addSpending, zeroSpending)

/** One of each family: all of its quantiles are told by the same counts. */
export const families = (quantiles: readonly KnownQuantile[]): KnownQuantile[] => [
  ...new Map(quantiles.map((quantile) => [quantile.family, quantile])).values(),
]

/** A quantile of dates has them beside their numbers. */
function dated(e: Expression, found: Estimate, quantiles: readonly KnownQuantile[] | undefined): Estimate {
  const days = e.kind === 'quantile' ? quantiles![e.quantile]!.days : undefined
  if (!days) return found
  const {
    estimate: value,
    interval: [low, high],
  } = found
  const first = (x: number | null) => (x === null ? null : days(x)[0])
  return { ...found, dates: { estimate: first(value), interval: [first(low), high === null ? null : days(high)[1]] } }
}

/** Bounds on the expression in a row. */
export const boundsIn = (e: Expression, parts: readonly KnownPart[], sure: Sure): ((row: number) => Bounds) =>
  ratioBounds(e, parts, sure) ??
  boundsOf(e, parts, { ...sure, confidence: (ratioOf(e) && sure.ratioConfidence) ?? sure.confidence })

/** The number with its interval: for this answer alone, or such that it holds always. */
function intervalIn(e: Expression, parts: readonly KnownPart[], wanted: Wanted) {
  const bounds = boundsIn(e, parts, wanted)
  const { always } = wanted
  if (!always) return (value: number | null, row: number): Estimate => estimate(value, bounds(row))
  const halfWidth: HalfWidth = (part, groups) =>
    groups.reduce((sum, group) => sum + always.halfWidth(parts[part]!, group), 0)
  const wide = boundsBy(e, parts, wanted, { halfWidth, among: () => halfWidth })
  return (value: number | null, row: number): Estimate => ({
    ...estimate(value, wide(row)),
    withinAlone: estimate(value, bounds(row)).within,
  })
}

/**
 * Whether a number says no more than the policy does: its bounds are all that it can be, as those of an average of hardly any records are,
 * or there are none.
 */
function unknownIn(parts: readonly KnownPart[], sure: Sure): (e: Expression, row: number) => boolean {
  const known = new Map<Expression, (row: number) => boolean>()
  const unknownOf = (e: Expression) => {
    const [bounds, isOfNobody] = [boundsIn(e, parts, sure), overNobody(e, parts, sure)]
    const possible = estimate(null, possibleOf(e, parts.length, sure.quantiles?.length))
    return (row: number) => {
      const found = estimate(null, bounds(row))
      return found.interval.includes(null) || covers(found, possible) || isOfNobody(row)
    }
  }
  return (e, row) => {
    if (!hasQuotient(e)) return false
    const isUnknown = known.get(e) ?? unknownOf(e)
    known.set(e, isUnknown)
    return isUnknown(row)
  }
}

/** The same by Fieller's argument, which is narrower, for a ratio of two parts whose errors are known jointly. */
function ratioBounds(
  e: Expression,
  parts: readonly KnownPart[],
  { joint, ...sure }: Sure,
): ((group: number) => Bounds) | undefined {
  const ratio = joint && ratioOf(e)
  if (!ratio || sure.statement?.rows) return undefined
  const confidence = sure.ratioConfidence ?? sure.confidence
  const pair = [ratio.numerator.part, ratio.denominator.part] as const
  const bounds = joint(pair, confidence)
  const boxes = boundsOf(e, parts, { ...sure, confidence })
  return (group) => {
    const values = [parts[pair[0]]!.values[group]!, parts[pair[1]]!.values[group]!] as const
    return fieller(ratio, values, bounds(group)) ?? boxes(group)
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
    const known = { estimate: parts[part]!.values[group]!, law: parts[part]!.errorLaw(group) }
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
    const law = {
      above: (_: number, c: number) => told(belief.above(c)),
      atLeast: (_: number, c: number) => told(belief.atLeast(c)),
    }
    const probability = probabilityOf(threshold, affine, { ...known, law })
    return { probability, probabilityGiven: 'answers', ...(within > 0 ? { probabilityWithin: within } : {}) }
  }
}
