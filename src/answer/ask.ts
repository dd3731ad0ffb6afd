import { multiply, type Rational, rational, toNumber } from '../numeric/index.ts'
import type { Measurement, Statement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import { fits, nothing } from '../trusted/accounting/index.ts'
import { type Book, formatReceipt, type Head } from '../trusted/ledger/index.ts'
import type { Meter, Quota } from '../trusted/meter/index.ts'
import type { Answer, Plan } from './answer.ts'
import { columnsOf, type KnownPart, priceOfAll } from './columns.ts'
import { costOf, leftFor, raisedBy } from './cost.ts'
import { halfWidth } from './interval.ts'
import { chargeOf, type PricedPart, priceParts } from './price.ts'

export interface Requirement {
  /** The whole statement's price. */
  readonly epsilon: Rational
  readonly confidence: number
}

/** What the statement would cost and how precise it would be: from the policy and the ledger alone. */
export function plan(statement: Statement, wanted: Requirement, book: Book, quota: Quota | null): Plan {
  checkConfidence(wanted.confidence)
  const parts = priceParts(statement, wanted.epsilon, book)
  const charges = parts.map(chargeOf)
  const before = book.spent()
  const after = book.spentWith(charges, book.cap)
  // The check stops working where the cap is kept. How much is raised is worth more work: as for a cap of 0.
  const closer = book.spentWith(charges, { epsilon: 0, rho: book.cap.rho && 0 })
  const own = quota && book.spentWith(charges, quota.cap, { analyst: quota.name })
  return {
    query: statement.text,
    confidence: wanted.confidence,
    kind: parts.length > 0 ? 'fresh' : 'free',
    cost: costOf(priceOfAll(parts), book),
    raised: raisedBy(before, closer, book),
    affordable: fits(after, book.cap) && (!own || fits(own, quota.cap)),
    left: leftFor(book),
    parts: parts.map((part) => ({ ...report(part, book), within: halfWidth(part, wanted.confidence) })),
  }
}

/** Buys the statement's parts fresh and computes its columns from the noisy answers. */
export async function ask(
  statement: Statement,
  wanted: Requirement,
  { book, meter, quota }: { book: Book; meter: Meter; quota: Quota | null },
): Promise<{ answer: Answer; head: Head }> {
  checkConfidence(wanted.confidence)
  const parts = priceParts(statement, wanted.epsilon, book)
  const bought =
    parts.length > 0
      ? await meter.measure({ charges: parts.map(chargeOf), analyst: quota, statement: statement.text })
      : { measurements: [], cost: nothing, before: nothing, after: nothing, head: book.head } // the policy alone answers it
  const columns = columnsOf(
    statement,
    parts.map((part, i) => known(part, bought.measurements[i]!)),
    wanted.confidence,
    (spending) => costOf(spending, book),
  )
  const answer: Answer = {
    query: statement.text,
    ...(columns.length === 1 ? columns[0]! : { answers: columns }),
    confidence: wanted.confidence,
    kind: parts.length > 0 ? 'fresh' : 'free',
    cost: costOf(bought.cost, book),
    raised: raisedBy(bought.before, bought.after, book),
    spent: costOf(book.spent(), book),
    left: leftFor(book),
    parts: parts.map((part) => report(part, book)),
    receipt: formatReceipt(bought.head),
  }
  return { answer, head: bought.head }
}

/** What a purchase by itself says about a part. */
function known(part: PricedPart, measurement: Measurement): KnownPart {
  const { values, query } = measurement
  const inUnits = (steps: number | bigint) => toNumber(multiply(rational(steps), query.step))
  return {
    values: Float64Array.from({ length: values.length }, (_, i) => inUnits(values[i]!)),
    halfWidth: (_, confidence) => halfWidth(part, confidence),
    price: part.price,
  }
}

function checkConfidence(confidence: number): void {
  if (confidence > 0 && confidence < 1) return
  throw new ReticentError(
    'usage',
    { confidence },
    { message: 'confidence must lie between 0 and 1', hint: '0.95 is usual.' },
  )
}

const report = ({ description, price, scale }: PricedPart, book: Book) => ({
  description,
  epsilon: costOf(price, book).epsilon,
  scale,
})
