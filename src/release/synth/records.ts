import { compare, multiply, type Rational, rational, subtract, toNumber, zero } from '../../numeric/index.ts'
import { countAll, noiseDeviation, noiseVariance } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import { wholeUnits } from '../marginals/share.ts'
import type { Bought } from '../meter.ts'
import { amountOf, lawFor, ofSameCurrency } from './budget.ts'
import type { SynthBudget, SynthContext, SynthRequest, SynthStep, SynthTerms } from './method.ts'

/** What is left of a budget once the number of records is paid for, and the step that this is: none where it is known. */
interface BudgetAfterRecords {
  readonly budget: SynthBudget
  readonly steps: readonly SynthStep[]
}
/** The number of records, as far as it is known. */
export interface NumberOfRecords {
  readonly count: number
  /** Of its noise: 0 where it is public. */
  readonly variance: number
}
/** The number of records, and what was bought for it. */
interface SettledRecords<Receipt extends Bought> extends BudgetAfterRecords, NumberOfRecords {
  readonly receipts: readonly Receipt[]
}

/** A number of records with more noise than this is useless: by chance alone, rows would fill all memory. */
const mostNoise = 1_000_000
/** More rows than this do not fit in memory. */
const mostRecords = 100_000_000

/** Refuses, before anything is bought, a share of the budget that is too small to be useful. */
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

/** If the number is within this many standard deviations of 0, more is spent on it: a tenth in all. */
const fewestDeviations = 5
const shareOfMore = rational(1, 10)

/** Buys the number of records if it is not known; twice if there are so few that a small share cannot distinguish them from none. */
export async function settleRecords<Receipt extends Bought>(
  request: Pick<SynthRequest, 'budget' | 'records'>,
  context: SynthContext<Receipt>,
): Promise<SettledRecords<Receipt>> {
  const after = planRecords(request, context)
  const { budget } = request
  const price = priceOfRecords(request)
  if (!price)
    return { ...after, count: usable((request.records as { count: number }).count), variance: 0, receipts: [] }
  const receipts = [await bought(price, context)]
  const first = countIn(receipts)
  const more = subtract(wholeUnits(multiply(amountOf(budget), shareOfMore)), amountOf(price))
  if (first.count >= fewestDeviations * Math.sqrt(first.variance) || compare(more, zero) <= 0)
    return { ...after, ...first, count: usable(first.count), receipts }
  receipts.push(await bought(ofSameCurrency(budget, more), context))
  const { count, variance } = countIn(receipts)
  const deviation = Math.sqrt(variance)
  const share = toNumber(shareOfMore)
  return {
    budget: ofSameCurrency(budget, subtract(amountOf(after.budget), more)),
    steps: [{ name: 'number of records', share, count: 2, deviation: [deviation, deviation] }],
    ...{ count: usable(count), variance, receipts },
  }
}

const bought = <Receipt extends Bought>(price: SynthBudget, context: SynthContext<Receipt>): Promise<Receipt> =>
  context.meter.measure([{ query: countAll, law: lawFor(countAll, price, context) }])

/** What all of these say together. */
function countIn(receipts: readonly Bought[]): NumberOfRecords {
  const answers = receipts.flatMap(({ measurements }) => measurements)
  return combinedCount(answers.map(({ values, law }) => ({ count: Number(values[0]), variance: noiseVariance(law) })))
}

/** The weighted mean of several noisy numbers of the same records. */
export function combinedCount(counts: readonly NumberOfRecords[]): NumberOfRecords {
  const exact = counts.find(({ variance }) => variance === 0)
  if (exact) return exact
  const precision = counts.reduce((sum, { variance }) => sum + 1 / variance, 0)
  const weighted = counts.reduce((sum, { count, variance }) => sum + count / variance, 0)
  return { count: weighted / precision, variance: 1 / precision }
}

function priceOfRecords({ budget, records }: Pick<SynthRequest, 'budget' | 'records'>): SynthBudget | undefined {
  if (records.kind === 'known') return undefined
  const amount: Rational = wholeUnits(multiply(amountOf(budget), records.share))
  return ofSameCurrency(budget, amount)
}

/** Noise can make a small number 0 or less, and there is no table of no records; nor of more than memory holds. */
function usable(count: number): number {
  if (count < 1) throw noNumber('the noisy number of records is below 1, and a table needs at least one')
  if (count <= mostRecords) return count
  throw noNumber(`the noisy number of records is ${count.toPrecision(2)}, more than a table can have rows`)
}

const noNumber = (message: string) =>
  problem('not-estimable', message, 'Spend more: a larger --epsilon, or a larger --count-share.')
