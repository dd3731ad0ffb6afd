import type { Rational } from '../numeric/index.ts'
import type { Statement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import type { Book, Head } from '../trusted/ledger/index.ts'
import type { Meter, Quota } from '../trusted/meter/index.ts'
import type { Answer, Asked, Plan } from './answer.ts'
import { priceOfAll } from './columns.ts'
import { compose, confidenceFor, isSimultaneous } from './compose.ts'
import { costOf, outlook } from './cost.ts'
import { halfWidth } from './interval.ts'
import { independent } from './joint.ts'
import { fromMeasurement } from './known-part.ts'
import { chargeOf, type PricedPart, priceParts } from './price.ts'
import { checkProbability } from './probability.ts'

export interface Requirement extends Asked {
  /** The whole statement's price. */
  readonly epsilon: Rational
}

/** What the statement would cost and how precise it would be: from the policy and the ledger alone. */
export function plan(statement: Statement, wanted: Requirement, book: Book, quota: Quota | null): Plan {
  checkConfidence(wanted.confidence)
  const parts = priceParts(statement, wanted.epsilon, book)
  const confidence = confidenceFor(statement, wanted)
  return {
    query: statement.text,
    confidence: wanted.confidence,
    ...(isSimultaneous(statement, wanted) ? { simultaneous: true } : {}),
    kind: parts.length > 0 ? 'fresh' : 'free',
    cost: costOf(priceOfAll(parts), book),
    ...outlook(parts.map(chargeOf), book, quota),
    parts: parts.map((part) => ({ ...report(part, book), within: halfWidth(part, confidence) })),
  }
}

/** Buys the statement's parts fresh and computes its columns from the noisy answers. */
export async function ask(
  statement: Statement,
  wanted: Requirement,
  { book, meter, quota }: { book: Book; meter: Meter; quota: Quota | null },
): Promise<{ answer: Answer; head: Head }> {
  checkConfidence(wanted.confidence)
  checkProbability(statement, wanted.probability)
  const parts = priceParts(statement, wanted.epsilon, book)
  const bought =
    parts.length > 0 // else the policy alone answers it
      ? await meter.measure({ charges: parts.map(chargeOf), analyst: quota, statement: statement.text })
      : undefined
  const known = {
    kind: parts.length > 0 ? 'fresh' : 'free',
    parts: parts.map(({ price }, i) => fromMeasurement(bought!.measurements[i]!, price)),
    reports: parts.map((part) => report(part, book)),
    joint: independent(parts),
    bought,
  } as const
  return { answer: compose(statement, wanted, known, book), head: bought?.head ?? book.head }
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
