import { type Measurement, queryKey, type Statement } from '../query/index.ts'
import { zeroSpending } from '../trusted/accounting/index.ts'
import type { Book, Release } from '../trusted/ledger/index.ts'
import type { Asked, ColumnAnswer, Group } from './answer.ts'
import { affineOf } from './column/affine.ts'
import { columnsOf } from './column/columns.ts'
import { confidenceFor } from './compose.ts'
import { type Joint, jointFromHistory, jointOfParts } from './known/joint.ts'
import { fromHistory, fromMeasurement, type KnownPart } from './known/known-part.ts'
import { narrower } from './known/narrower.ts'
import { SumLaws } from './known/sums.ts'
import { costOf } from './price/cost.ts'
import type { Session } from './session.ts'

/** What the purchases of a statement say by themselves, and what the whole history says now. */
export interface Improved {
  /** The statement's columns from what was bought for it alone. */
  readonly before: readonly ColumnAnswer[]
  /** The same from everything released before and since, at no cost. */
  readonly now: readonly ColumnAnswer[]
}

/** Undefined if its purchases are only a part of its answer, or if there are too many groups to consult the history. */
export function improved(
  statement: Statement,
  { measurements }: Release,
  asked: Asked,
  { book, knowledge }: Pick<Session, 'book' | 'knowledge'>,
): Improved | undefined {
  // A quantile is found step by step: no single purchase answers it.
  if (statement.quantiles) return undefined
  const byQuery = new Map(measurements.map((m) => [queryKey(m.query), m]))
  const own = statement.parts.map((query) => byQuery.get(queryKey(query)))
  const told = statement.parts.map((query) => knowledge.about(query))
  if (!own.every((m) => m !== undefined) || !told.every((known) => known !== undefined)) return undefined
  const confidence = confidenceFor(statement, asked)
  const columns = (parts: readonly KnownPart[], joint: Joint | undefined) =>
    columnsOf(statement, parts, {
      confidence,
      cost: (spending) => costOf(spending, book),
      joint,
      sums: new SumLaws(statement.parts, parts, { book, knowledge }),
    })
  const alone = own.map((m) => fromMeasurement(m, zeroSpending))
  const all = told.map((known) => fromHistory(known))
  const isLinear = statement.columns.every((c) => c.kind === 'key' || affineOf(c.expression))
  const best = isLinear ? all.map((part, i) => narrower(part, alone[i]!, confidence).part) : all
  const before = columns(alone, jointOfParts(own))
  if (!isLinear && isAlone(all, measurements)) return { before, now: before }
  const now = columns(best, jointFromHistory(statement.parts, knowledge))
  return { before, now: isLinear ? now.map((column, i) => narrowerColumn(column, before[i]!)) : now }
}

/** Does the history say no more than what was bought for the statement? */
function isAlone(parts: readonly KnownPart[], bought: readonly Measurement[]): boolean {
  const ids = new Set(bought.map(({ id }) => id))
  return parts.every(({ values, sources }) =>
    Array.from(values, (_, group) => sources(group)).every((behind) => behind.every(({ id }) => ids.has(id))),
  )
}

/**
 * An interval once given stays valid, so a wider one later does not replace it. This applies only if the noise
 * distributions determine the widths: the widths of ratios depend on the answers, and choosing the narrower of two
 * would hold less often.
 */
function narrowerColumn(now: ColumnAnswer, before: ColumnAnswer): ColumnAnswer {
  if (!('groups' in now) || !('groups' in before)) return isWider(now, before) ? before : now
  // The order of groups may have changed with their numbers.
  const told = new Map(before.groups.map((group) => [keyOf(group), group]))
  const groups = now.groups.map((group) => {
    const old = told.get(keyOf(group))
    return old && isWider(group, old) ? old : group
  })
  return { ...now, groups }
}

const keyOf = ({ key, all }: Group): string => JSON.stringify([key, all])
const isWider = (one: object, other: object): boolean => widthOf(one) > widthOf(other)
const widthOf = (of: { readonly within?: number | null }): number => of.within ?? Number.POSITIVE_INFINITY

type StatementRelease = Release & { readonly statement: string }

/** What was bought for a statement up to this purchase, if that was recorded. */
export const statementOf = (book: Book, number: number): StatementRelease[] =>
  statementsUpTo(book, number).filter(({ seq }) => seq === number)

/** Statements that were bought, each with its last purchase. */
export const statementsOf = (book: Book): StatementRelease[] => statementsUpTo(book, Infinity)

/** By text. Averages are bought step by step: a statement has the measurements of all its purchases, the last ones last. */
function statementsUpTo(book: Book, number: number): StatementRelease[] {
  const bought = new Map<string, { last: Release; measurements: Measurement[] }>()
  for (const release of book.releases) {
    const { statement, state, seq } = release
    if (statement === null || state !== 'recorded' || seq > number) continue
    const measurements = bought.get(statement)?.measurements ?? []
    measurements.push(...release.measurements)
    bought.delete(statement)
    bought.set(statement, { last: release, measurements })
  }
  return [...bought].map(([statement, { last, measurements }]) => ({ ...last, statement, measurements }))
}
