import { describe, type LinearQuery, type Measurement, type Statement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import { addSpending, type Charge, nothing, type Spending } from '../trusted/accounting/index.ts'
import type { Book, Head } from '../trusted/ledger/index.ts'
import type { Meter, Quota, Receipt } from '../trusted/meter/index.ts'
import { affineOf } from './affine.ts'
import type { Answer, Asked, PartReport, Plan } from './answer.ts'
import { type Capped, checkPrice } from './check-price.ts'
import { blurFor, type Choice, choose, type Precision } from './choice.ts'
import { type Bought, compose, confidenceFor, isSimultaneous } from './compose.ts'
import { costOf, outlook } from './cost.ts'
import { together } from './joint.ts'
import type { Knowledge, Known } from './knowledge.ts'
import { fromHistory, fromMeasurement, type KnownPart } from './known-part.ts'
import { scaleOf } from './price.ts'
import { checkProbability } from './probability.ts'

/** Half the width of the interval that is wanted, in the data's own units. */
export interface Within extends Asked, Capped {
  readonly within: number
}

export interface Asking {
  readonly book: Book
  readonly knowledge: Knowledge
  readonly quota: Quota | null
}

/** One part of the statement, how precise it must be, and the cheapest way there. */
interface Chosen {
  readonly query: LinearQuery
  readonly precision: Precision
  readonly choice: Choice
}

/** What it would take to answer within ± `within`: from the policy and the history alone. */
export function planWithin(statement: Statement, wanted: Within, { book, knowledge, quota }: Asking): Plan {
  const chosen = chooseAll(statement, wanted, book, knowledge)
  const charges = purchasesOf(chosen).map(({ charge }) => charge)
  const budget = outlook(charges, book, quota)
  const cost = costOf(totalOf(chosen), book)
  return {
    query: statement.text,
    confidence: wanted.confidence,
    ...(isSimultaneous(statement, wanted) ? { simultaneous: true } : {}),
    kind: kindOf(chosen),
    cost,
    ...budget,
    affordable: budget.affordable && cost.epsilon <= (wanted.maxEpsilon ?? Infinity),
    parts: chosen.map((part) => ({ ...report(part, book), within: part.precision.within })),
  }
}

/** Answers within ± `within`: from the history where that is enough, else by the cheapest purchase that makes it so. */
export async function askWithin(
  statement: Statement,
  wanted: Within,
  { book, knowledge, quota, meter }: Asking & { meter: Meter },
): Promise<{ answer: Answer; head: Head }> {
  checkProbability(statement, wanted.probability)
  await book.follow()
  const chosen = chooseAll(statement, wanted, book, knowledge)
  checkPrice(totalOf(chosen), wanted, book)
  const { measurements, bought } = await buy(chosen, { meter, quota, statement: statement.text })
  const parts = chosen.map(({ query, choice, precision }, i) =>
    knownPart({ precision, choice, measured: measurements[i], after: knowledge.about(query) }),
  )
  const reports = chosen.map((part) => report(part, book))
  const answer = compose(statement, wanted, { kind: kindOf(chosen), parts, reports, bought }, book)
  return { answer, head: bought?.head ?? book.head }
}

/** The best answer that costs nothing; undefined where the history does not tell. */
export function freeAnswer(statement: Statement, wanted: Asked, { book, knowledge }: Asking): Answer | undefined {
  checkProbability(statement, wanted.probability)
  const known = statement.parts.map((query) => knowledge.about(query))
  if (!known.every((k) => k !== undefined)) return undefined
  const reports = statement.parts.map((query) => ({
    description: describe(query, book.universe),
    epsilon: 0,
    scale: 0,
  }))
  const parts = known.map((cells) => fromHistory(cells))
  const joint = together(statement.parts, knowledge)
  return compose(statement, wanted, { kind: 'free', parts, reports, joint }, book)
}

/** Every column must be a multiple of one part plus a constant: then the part's precision follows from the column's. */
function chooseAll(statement: Statement, wanted: Within, book: Book, knowledge: Knowledge): Chosen[] {
  const confidence = confidenceFor(statement, wanted)
  const within = statement.parts.map(() => Number.POSITIVE_INFINITY)
  for (const column of statement.columns) {
    if (column.kind === 'key') continue
    const affine = affineOf(column.expression)
    if (!affine) throw ratio(column.name)
    if (affine.part !== undefined)
      within[affine.part] = Math.min(within[affine.part]!, wanted.within / Math.abs(affine.times))
  }
  return statement.parts.map((query, part) => {
    if (within[part] === Number.POSITIVE_INFINITY) throw ratio('HAVING or ORDER BY')
    const precision = { confidence, within: within[part]! }
    return { query, precision, choice: choose(query, precision, knowledge.about(query), book) }
  })
}

const ratio = (what: string) =>
  new ReticentError(
    'not-supported',
    {},
    {
      message: `${what} is not a multiple of one sum, so a half-width cannot be asked of it yet`,
      hint: 'Ask with --epsilon instead; the answer says how precise it is.',
    },
  )

type Purchase = Exclude<Choice, { kind: 'free' }>
const purchasesOf = (chosen: readonly Chosen[]): Purchase[] =>
  chosen.map(({ choice }) => choice).filter((choice) => choice.kind !== 'free')
const totalOf = (chosen: readonly Chosen[]): Spending =>
  purchasesOf(chosen)
    .map(({ price }) => price)
    .reduce(addSpending, nothing)
/** What the answer as a whole is called: free, or what was bought for it. */
const kindOf = (chosen: readonly Chosen[]): Choice['kind'] => purchasesOf(chosen)[0]?.kind ?? 'free'

const report = ({ query, choice }: Chosen, book: Book): PartReport => ({
  description: describe(query, book.universe),
  epsilon: choice.kind === 'free' ? 0 : costOf(choice.price, book).epsilon,
  scale: choice.kind === 'free' ? 0 : scaleOf(choice.charge),
})

interface Purchased {
  /** One per part; undefined for what is free. */
  readonly measurements: readonly (Measurement | undefined)[]
  readonly bought?: Bought
}

/** Fresh measurements are bought together, refinements one by one. */
async function buy(
  chosen: readonly Chosen[],
  { meter, quota, statement }: { meter: Meter; quota: Quota | null; statement: string },
): Promise<Purchased> {
  const buyer = { analyst: quota, statement }
  const measurements: (Measurement | undefined)[] = chosen.map(() => undefined)
  const receipts: Receipt[] = []
  const fresh = chosen.flatMap(({ choice }, i) =>
    choice.kind === 'fresh' || choice.kind === 'combined' ? [{ i, charge: choice.charge }] : [],
  )
  if (fresh.length > 0) {
    const receipt = await meter.measure({ charges: fresh.map(({ charge }): Charge => charge), ...buyer })
    fresh.forEach(({ i }, at) => {
      measurements[i] = receipt.measurements[at]
    })
    receipts.push(receipt)
  }
  for (const [i, { choice }] of chosen.entries()) {
    if (choice.kind !== 'refined') continue
    const receipt = await meter.refine({ parent: choice.parent, law: choice.charge.law, ...buyer })
    measurements[i] = receipt.measurements[0]
    receipts.push(receipt)
  }
  const [first, last] = [receipts[0], receipts.at(-1)]
  return first && last
    ? { measurements, bought: { before: first.before, after: last.after, head: last.head } }
    : { measurements }
}

interface Outcome {
  readonly precision: Precision
  readonly choice: Choice
  readonly measured: Measurement | undefined
  readonly after: readonly Known[] | undefined
}

/** The history's estimate or the measurement alone, whichever is narrower: the laws decide, not the answers. */
function knownPart({ choice, precision, measured, after }: Outcome): KnownPart {
  const blur = blurFor(precision)
  if (choice.kind === 'free') return fromHistory(choice.known, blur)
  const { price } = choice
  const alone = fromMeasurement(measured!, price)
  if (!after) return alone
  const both = fromHistory(after, blur)
  const { confidence } = precision
  const better = Array.from(alone.values, (_, group) =>
    both.posterior(group).halfWidth(confidence) <= alone.posterior(group).halfWidth(confidence) ? both : alone,
  )
  return {
    values: Float64Array.from(better, ({ values }, group) => values[group]!),
    posterior: (group) => better[group]!.posterior(group),
    sources: (group) => better[group]!.sources(group),
    price,
  }
}
