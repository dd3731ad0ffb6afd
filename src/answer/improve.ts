import { queryKey, type Statement } from '../query/index.ts'
import { zeroSpending } from '../trusted/accounting/index.ts'
import type { Book, Release } from '../trusted/ledger/index.ts'
import type { Asked, ColumnAnswer } from './answer.ts'
import { affineOf } from './column/affine.ts'
import { columnsOf } from './column/columns.ts'
import { confidenceFor } from './compose.ts'
import { type Joint, jointFromHistory, jointOfMeasurements } from './known/joint.ts'
import { fromHistory, fromMeasurement, type KnownPart } from './known/known-part.ts'
import { narrower } from './known/narrower.ts'
import { SumLaws } from './known/sums.ts'
import { costOf } from './price/cost.ts'
import type { Session } from './session.ts'

/** What a purchase said by itself, and what the whole history says now. */
export interface Improved {
  /** The statement's columns from the purchase alone. */
  readonly before: readonly ColumnAnswer[]
  /** The same from everything released before and since, at no cost. */
  readonly now: readonly ColumnAnswer[]
}

/** Undefined where the purchase was only a part of its answer, or the history is not asked about so many groups. */
export function improved(
  statement: Statement,
  { measurements }: Release,
  asked: Asked,
  { book, knowledge }: Pick<Session, 'book' | 'knowledge'>,
): Improved | undefined {
  // A quantile was found step by step: no single purchase said it.
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
  return {
    before: columns(alone, jointOfMeasurements(own)),
    now: columns(best, jointFromHistory(statement.parts, knowledge)),
  }
}

type StatementRelease = Release & { readonly statement: string }

/** The purchase with this number, if it is of a statement and was recorded. */
export const statementOf = (book: Book, number: number): StatementRelease[] =>
  book.releases.filter(
    (release): release is StatementRelease =>
      release.seq === number && release.statement !== null && release.state === 'recorded',
  )

/** Purchases of statements that were recorded, the last of each text. */
export function statementsOf(book: Book): StatementRelease[] {
  const last = new Map<string, StatementRelease>()
  for (const release of book.releases) {
    const { statement, state } = release
    if (statement === null || state !== 'recorded') continue
    last.delete(statement)
    last.set(statement, { ...release, statement })
  }
  return [...last.values()]
}
