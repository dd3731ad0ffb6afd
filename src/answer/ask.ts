import { multiply, type Rational, rational, toNumber } from '../numeric/index.ts'
import { arrange, type Expression, evaluateInterval, type Statement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import { addSpending, fits, nothing, type Spending } from '../trusted/accounting/index.ts'
import { type Book, formatReceipt, type Head } from '../trusted/ledger/index.ts'
import type { Meter, Quota, Receipt } from '../trusted/meter/index.ts'
import type { Answer, ColumnAnswer, Estimate, Plan } from './answer.ts'
import { costOf, leftFor, raisedBy } from './cost.ts'
import { confidenceOfEach, halfWidth, partsOf } from './interval.ts'
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
  const columns = columnsOf(statement, parts, bought, wanted.confidence, book)
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

function columnsOf(s: Statement, parts: PricedPart[], bought: Receipt, confidence: number, book: Book): ColumnAnswer[] {
  const values = bought.measurements.map(({ values, query }) => {
    const inUnits = (steps: number | bigint) => toNumber(multiply(rational(steps), query.step))
    return Float64Array.from({ length: values.length }, (_, i) => inUnits(values[i]!))
  })
  const rows = arrange(s, values)
  return s.columns.flatMap((column, i): ColumnAnswer[] => {
    if (column.kind === 'key') return []
    const { name, expression } = column
    const groups = rows.map((row) => ({
      key: Object.fromEntries(s.axes.map((axis, k) => [axis.name, row.keys[k]!])),
      ...estimate(expression, row.cells[i] as number | null, at(values, row.group), parts, confidence),
    }))
    const price = costOf(priceOfAll([...partsOf(expression)].map((part) => parts[part]!)), book)
    // Without GROUP BY there is one row, unless HAVING or LIMIT took it away.
    const [only] = groups
    if (s.axes.length > 0 || !only) return [{ name, cost: price, groups }]
    const { key: _, ...single } = only
    return [{ name, cost: price, ...single }]
  })
}

const at = (values: readonly Float64Array[], group: number): number[] => values.map((v) => v[group]!)

/** The value, and its interval from its parts' intervals, which hold all at once. */
function estimate(
  e: Expression,
  value: number | null,
  at: number[],
  parts: PricedPart[],
  confidence: number,
): Estimate {
  const used = partsOf(e)
  const each = confidenceOfEach(confidence, used.size)
  const boxes = parts.map((part, i) => {
    const half = used.has(i) ? halfWidth(part, each) : 0
    return { low: at[i]! - half, high: at[i]! + half }
  })
  const { low, high } = evaluateInterval(e, boxes)
  const finite = (x: number) => (Number.isFinite(x) ? x : null)
  return {
    estimate: value,
    interval: [finite(low), finite(high)],
    within: value === null ? null : finite(Math.max(value - low, high - value)),
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

const priceOfAll = (parts: readonly PricedPart[]): Spending =>
  parts.map(({ price }) => price).reduce(addSpending, nothing)
const report = ({ description, price, scale }: PricedPart, book: Book) => ({
  description,
  epsilon: costOf(price, book).epsilon,
  scale,
})
