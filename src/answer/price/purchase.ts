import { describe, type LinearQuery, type Measurement } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { type AnswerCharge, addSpending, type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Meter, Quota, Receipt } from '../../trusted/meter/index.ts'
import type { PartReport } from '../answer.ts'
import type { Bought } from '../compose.ts'
import type { Known } from '../knowledge.ts'
import { fromHistory, fromMeasurement, type KnownPart } from '../known-part.ts'
import { blurFor, type Choice, type Precision } from './choice.ts'
import { costOf } from './cost.ts'
import { scaleOf } from './price.ts'

/** One part of the statement, how precise it must be, and the way there. */
export interface Chosen {
  readonly query: LinearQuery
  readonly precision: Precision
  readonly choice: Choice
}

type Purchase = Exclude<Choice, { kind: 'free' }>
export const purchasesOf = (chosen: readonly Pick<Chosen, 'choice'>[]): Purchase[] =>
  chosen.map(({ choice }) => choice).filter((choice) => choice.kind !== 'free')
export const totalOf = (chosen: readonly Pick<Chosen, 'choice'>[]): Spending =>
  purchasesOf(chosen)
    .map(({ price }) => price)
    .reduce(addSpending, zeroSpending)
/** What the answer as a whole is called: free, or what was bought for it. */
export const kindOf = (chosen: readonly Pick<Chosen, 'choice'>[]): Choice['kind'] =>
  purchasesOf(chosen)[0]?.kind ?? 'free'

export const reportOf = ({ query, choice }: Pick<Chosen, 'query' | 'choice'>, book: Book): PartReport => ({
  description: describe(query, book.universe),
  epsilon: choice.kind === 'free' ? 0 : costOf(choice.price, book).epsilon,
  scale: choice.kind === 'free' ? 0 : scaleOf(choice.charge),
})

export interface Purchased {
  /** One per part; undefined for what is free. */
  readonly measurements: readonly (Measurement | undefined)[]
  readonly bought?: Bought
}

/** Fresh measurements are bought together, refinements one by one. */
export async function buy(
  chosen: readonly Pick<Chosen, 'choice'>[],
  { meter, quota, statement }: { meter: Meter; quota: Quota | null; statement: string },
): Promise<Purchased> {
  const buyer = { analyst: quota, statement }
  const measurements: (Measurement | undefined)[] = chosen.map(() => undefined)
  const receipts: Receipt[] = []
  const fresh = chosen.flatMap(({ choice }, i) =>
    choice.kind === 'fresh' || choice.kind === 'combined' ? [{ i, charge: choice.charge }] : [],
  )
  if (fresh.length > 0) {
    const receipt = await meter.measure({ charges: fresh.map(({ charge }): AnswerCharge => charge), ...buyer })
    fresh.forEach(({ i }, at) => {
      measurements[i] = receipt.measurements[at]
    })
    receipts.push(receipt)
  }
  for (const [i, { choice }] of chosen.entries()) {
    if (choice.kind !== 'refined') continue
    const { parent, charge, instead } = choice
    const receipt = await meter.refine({ parent, law: charge.law, ...buyer }).catch((error) => {
      if (!instead || !(error instanceof ReticentError) || error.code !== 'not-refinable') throw error
      return meter.measure({ charges: [instead], ...buyer })
    })
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
export function knownPart({ choice, precision, measured, after }: Outcome): KnownPart {
  const blur = blurFor(precision)
  if (choice.kind === 'free') return fromHistory(choice.known, blur)
  const { price } = choice
  const alone = fromMeasurement(measured!, price)
  if (!after) return alone
  return narrower(fromHistory(after, blur), alone, precision.confidence).part
}

/** Of what the history says and what a measurement says alone, group by group the narrower; at the measurement's price. */
export function narrower(told: KnownPart, alone: KnownPart, confidence: number) {
  const widths = Array.from(alone.values, (_, group) => {
    const [both, one] = [told, alone].map((of) => of.posterior(group).halfWidth(confidence)) as [number, number]
    return { both, one }
  })
  const better = widths.map(({ both, one }) => (both < one * (1 - rounding) ? told : alone))
  const part: KnownPart = {
    values: Float64Array.from(better, ({ values }, group) => values[group]!),
    posterior: (group) => better[group]!.posterior(group),
    sources: (group) => better[group]!.sources(group),
    price: alone.price,
  }
  return {
    part,
    /** Whether the history makes some group narrower, and none wider; but for rounding. */
    isNarrower: widths.some(({ both, one }) => both < one * (1 - rounding)),
    isNowhereWider: widths.every(({ both, one }) => both <= one * (1 + rounding)),
  }
}
/** Of two ways to the same width: then the answer that was bought is handed out as it is. */
const rounding = 1e-9
