import { multiply, type Rational, subtract, toNumber } from '../../numeric/index.ts'
import { countAll, noiseDeviation } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { wholeUnits } from '../marginals/share.ts'
import type { Bought } from '../meter.ts'
import { amountOf, lawFor, ofSameCurrency } from './budget.ts'
import type { SynthBudget, SynthContext, SynthRequest, SynthStep, SynthTerms } from './method.ts'

/** What is left of a budget once the number of records is paid for, and the step that this is: none where it is known. */
interface BudgetAfterRecords {
  readonly budget: SynthBudget
  readonly steps: readonly SynthStep[]
}
/** The number of records, and what was bought for it. */
interface SettledRecords<Receipt extends Bought> extends BudgetAfterRecords {
  readonly count: number
  readonly receipts: readonly Receipt[]
}

/** A number of records with more noise than this tells nothing: by chance alone rows would fill all memory. */
const mostNoise = 1_000_000
/** More rows than this do not fit in memory. */
const mostRecords = 100_000_000

/** Refuses, before anything is bought, a share of the budget that would tell nothing. */
export function planRecords(request: Pick<SynthRequest, 'budget' | 'records'>, terms: SynthTerms): BudgetAfterRecords {
  const price = priceOfRecords(request)
  if (!price) return { budget: request.budget, steps: [] }
  const deviation = noiseDeviation(lawFor(countAll, price, terms))
  if (deviation > mostNoise) throw noNumber(`the number of records would have noise of ±${deviation.toPrecision(2)}`)
  const share = toNumber(amountOf(price)) / toNumber(amountOf(request.budget))
  return {
    budget: ofSameCurrency(request.budget, subtract(amountOf(request.budget), amountOf(price))),
    steps: [{ name: 'number of records', share, count: 1, deviation: [deviation, deviation] }],
  }
}

/** Buys the number of records where it is not known. */
export async function settleRecords<Receipt extends Bought>(
  request: Pick<SynthRequest, 'budget' | 'records'>,
  context: SynthContext<Receipt>,
): Promise<SettledRecords<Receipt>> {
  const after = planRecords(request, context)
  const price = priceOfRecords(request)
  if (!price) return { ...after, count: usable((request.records as { count: number }).count), receipts: [] }
  const receipt = await context.meter.measure([{ query: countAll, law: lawFor(countAll, price, context) }])
  const count = usable(Number(receipt.measurements[0]!.values[0]))
  return { ...after, count, receipts: [receipt] }
}

function priceOfRecords({ budget, records }: Pick<SynthRequest, 'budget' | 'records'>): SynthBudget | undefined {
  if (records.kind === 'known') return undefined
  const amount: Rational = wholeUnits(multiply(amountOf(budget), records.share))
  return ofSameCurrency(budget, amount)
}

/** Noise can make a small number 0 or less, and there is no table of no records; nor of more than memory holds. */
function usable(count: number): number {
  if (count < 1) throw noNumber('the noisy number of records is below 1, and there is no table of no records')
  if (count <= mostRecords) return count
  throw noNumber(`the number of records is told as ${count.toPrecision(2)}, more than there can be rows`)
}

const noNumber = (message: string) =>
  new ReticentError('not-estimable', {}, { message, hint: 'Give more: --epsilon, or a larger --count-share.' })
