import type { Statement } from '../query/index.ts'
import { type Spending, zeroSpending } from '../trusted/accounting/index.ts'
import { type Book, formatReceipt, type Head } from '../trusted/ledger/index.ts'
import type { Answer, Asked, Kind, PartReport } from './answer.ts'
import { columnsOf, priceOfAll } from './column/columns.ts'
import { madeOf } from './column/made-of.ts'
import { confidenceOfInterval, isPickedByNoise } from './column/simultaneous.ts'
import type { Joint } from './known/joint.ts'
import type { KnownPart } from './known/known-part.ts'
import { leftFor } from './price/budget.ts'
import { costOf, raisedBy } from './price/cost.ts'

/** Everything that is known once whatever was needed has been bought. */
export interface Material {
  readonly kind: Kind
  readonly parts: readonly KnownPart[]
  readonly reports: readonly PartReport[]
  /** How the parts' errors go together, where that is known. */
  readonly joint?: Joint
  /** Of a ratio's interval by itself, where it must be surer than others. */
  readonly ratioConfidence?: number
  /** Whether the history was left out, as there are too many groups. */
  readonly notConsulted?: boolean
  /** Of each interval by itself, where it is not what was asked for. */
  readonly confidence?: number
}
/** What the dataset had spent before the purchases, and has spent since. */
export interface Charged {
  readonly before: Spending
  readonly after: Spending
  readonly head: Head
}

/** Do all intervals hold at once? Asked for, or because nothing else would be honest. */
export const isSimultaneous = (statement: Statement, { allWithin }: Asked): boolean =>
  allWithin === true || isPickedByNoise(statement)

/** What each interval must hold with by itself. */
export const confidenceFor = (statement: Statement, asked: Asked): number =>
  confidenceOfInterval(statement, asked.confidence, isSimultaneous(statement, asked))

/** The answer as it is handed out. */
export function compose(
  statement: Statement,
  asked: Asked,
  known: Material & { readonly charged?: Charged },
  book: Book,
): Answer {
  const { kind, parts, reports, charged, joint, ratioConfidence } = known
  const columns = columnsOf(statement, parts, {
    confidence: known.confidence ?? confidenceFor(statement, asked),
    probability: asked.probability,
    density: asked.density,
    cost: (spending) => costOf(spending, book),
    joint,
    ratioConfidence,
  })
  const names = reports.map(({ description }) => description)
  return {
    query: statement.text,
    ...(columns.length === 1 ? columns[0]! : { answers: columns }),
    confidence: asked.confidence,
    ...(isSimultaneous(statement, asked) ? { simultaneous: true } : {}),
    ...(statement.axes.length > 0 ? { keys: statement.axes.map(({ name }) => name) } : {}),
    kind,
    cost: costOf(priceOfAll(parts), book),
    raised: raisedBy(charged?.before ?? zeroSpending, charged?.after ?? zeroSpending, book),
    spent: costOf(book.spent(), book),
    left: leftFor(book),
    parts: reports,
    ...(known.notConsulted ? { notConsulted: true } : {}),
    ...(asked.explain ? { madeOf: madeOf(parts, names, book) } : {}),
    receipt: formatReceipt(charged?.head ?? book.head),
  }
}
