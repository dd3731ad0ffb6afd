import type { Statement } from '../query/index.ts'
import { type Spending, zeroSpending } from '../trusted/accounting/index.ts'
import { formatReceipt, type Head } from '../trusted/ledger/index.ts'
import type { Answer, Asked, ColumnAnswer, Kind, PartReport } from './answer.ts'
import { columnsOf, families, priceOfAll } from './column/columns.ts'
import { madeOf } from './column/made-of.ts'
import { cutAtPossible } from './column/possible.ts'
import { confidenceOfInterval, isPickedByNoise } from './column/simultaneous.ts'
import { AlwaysWidths } from './known/always.ts'
import { AnswersBehind } from './known/evidence.ts'
import type { Joint } from './known/joint.ts'
import type { KnownPart } from './known/known-part.ts'
import { SumLaws } from './known/sums.ts'
import { leftFor } from './price/budget.ts'
import { costOf, raisedBy } from './price/cost.ts'
import type { KnownQuantile } from './quantile/known-quantile.ts'
import { ReleaseIndex } from './release-index.ts'
import type { Session } from './session.ts'

/** Everything that is known once all purchases have been made. */
export interface Material {
  readonly kind: Kind
  readonly parts: readonly KnownPart[]
  readonly reports: readonly PartReport[]
  /** How the parts' errors are correlated, if known. */
  readonly joint?: Joint
  /** The confidence of a ratio's own interval, if it must be higher than that of others. */
  readonly ratioConfidence?: number
  /** One per quantile of the statement. */
  readonly quantiles?: readonly KnownQuantile[]
  /** Whether the history was left out, because there are too many groups. */
  readonly notConsulted?: boolean
  /** Whether it is less precise than requested. */
  readonly short?: boolean
  /** Notes on the intervals, in addition to those of the statement. */
  readonly notes?: readonly string[]
  /** The confidence of each interval by itself, if it is not the requested one. */
  readonly confidence?: number
}
/** What the dataset had spent before the purchases, and has spent since. */
export interface Charged {
  readonly before: Spending
  readonly after: Spending
  readonly head: Head
}

/** Do all intervals hold simultaneously? Either requested, or because noise selects the rows. */
export const isSimultaneous = (statement: Statement, { allWithin }: Asked): boolean =>
  allWithin === true || isPickedByNoise(statement)

/** The confidence that each interval needs by itself. */
export const confidenceFor = (statement: Statement, asked: Asked): number =>
  confidenceOfInterval(statement, asked.confidence, isSimultaneous(statement, asked))

/** The answer as it is returned. */
export function compose(
  statement: Statement,
  asked: Asked,
  known: Material & { readonly charged?: Charged },
  session: Pick<Session, 'book' | 'random' | 'knowledge'>,
): Answer {
  const { book } = session
  const { kind, parts, reports, charged, joint, ratioConfidence } = known
  const behind = new AnswersBehind(statement.parts, parts, session)
  const columns = columnsOf(statement, parts, {
    confidence: known.confidence ?? confidenceFor(statement, asked),
    probability: asked.probability,
    cut: cutAtPossible(statement, ReleaseIndex.of(book).publicRecords),
    behind,
    ...(asked.always ? { always: new AlwaysWidths(book, asked.confidence) } : {}),
    density: asked.density,
    cost: (spending) => costOf(spending, book),
    joint,
    ratioConfidence,
    quantiles: known.quantiles,
    sums: new SumLaws(statement.parts, parts, session),
  })
  const notes = [...(statement.notes ?? []), ...(known.notes ?? [])]
  const names = reports.map(({ description }) => description)
  return {
    query: statement.text,
    ...(columns.length === 1 ? columns[0]! : { answers: columns }),
    confidence: asked.confidence,
    ...(asked.always ? { always: true } : {}),
    ...(asked.always || isSimultaneous(statement, asked) ? { simultaneous: true } : {}),
    ...(statement.axes.length > 0 ? { keys: statement.axes.map(({ name }) => name) } : {}),
    kind,
    cost: costOf(priceOfAll([...parts, ...families(known.quantiles ?? [])]), book),
    raised: raisedBy(charged?.before ?? zeroSpending, charged?.after ?? zeroSpending, book),
    spent: costOf(book.spent(), book),
    left: leftFor(book),
    parts: reports,
    ...(known.short || isWider(columns, asked, statement) ? { short: true } : {}),
    ...(known.notConsulted ? { notConsulted: true } : {}),
    ...disagreementIn(statement, behind),
    ...(notes.length > 0 ? { notes } : {}),
    ...(asked.explain ? { madeOf: madeOf(parts, names, book) } : {}),
    receipt: formatReceipt(charged?.head ?? book.head),
  }
}

/** If groups with correlated errors were added up, the sums may be less precise than requested. */
function isWider(
  columns: readonly ColumnAnswer[],
  asked: Asked & { within?: number },
  { rows, columns: all }: Statement,
) {
  const isSummed = rows || all.some((c) => c.kind === 'value' && c.expression.kind === 'window-sum')
  if (!isSummed || asked.within === undefined) return false
  const groups = columns.flatMap((column) => ('groups' in column ? column.groups : []))
  return groups.some(({ within }) => within !== null && within > asked.within! * (1 + 1e-9))
}

/** A disagreement is reported if noise alone causes it with less than this probability. */
const rare = 1 / 1000

/** Whether the answers behind a part disagree more than noise explains, in any of its groups. */
function disagreementIn({ parts }: Statement, behind: AnswersBehind): { disagreement?: number } {
  const chances = parts.flatMap((_, part) => behind.chance(part) ?? [])
  if (chances.length === 0) return {}
  // The smallest of several p-values is small more often than one (Bonferroni).
  const chance = Math.min(1, chances.length * Math.min(...chances, 1))
  return chance < rare ? { disagreement: chance } : {}
}
