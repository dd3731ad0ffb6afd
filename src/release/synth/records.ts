import { multiply, type Rational, subtract, toNumber } from '../../numeric/index.ts'
import { countAll } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { wholeUnits } from '../marginals/share.ts'
import type { Bought } from '../meter.ts'
import { amountOf, deviationOf, lawFor, ofSameCurrency } from './budget.ts'
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

export function planRecords(request: Pick<SynthRequest, 'budget' | 'records'>, terms: SynthTerms): BudgetAfterRecords {
  const price = priceOfRecords(request)
  if (!price) return { budget: request.budget, steps: [] }
  const deviation = deviationOf(lawFor(countAll, price, terms))
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
  if (!price) return { ...after, count: atLeastOne((request.records as { count: number }).count), receipts: [] }
  const receipt = await context.meter.measure([{ query: countAll, law: lawFor(countAll, price, context) }])
  const count = atLeastOne(Number(receipt.measurements[0]!.values[0]))
  return { ...after, count, receipts: [receipt] }
}

function priceOfRecords({ budget, records }: Pick<SynthRequest, 'budget' | 'records'>): SynthBudget | undefined {
  if (records.kind === 'known') return undefined
  const amount: Rational = wholeUnits(multiply(amountOf(budget), records.share))
  return ofSameCurrency(budget, amount)
}

/** Noise can make a small number 0 or less, and there is no table of no records. */
function atLeastOne(count: number): number {
  if (count >= 1) return count
  throw new ReticentError(
    'not-estimable',
    {},
    {
      message: 'the noisy number of records is below 1, and there is no table of no records',
      hint: 'Give more: --epsilon, or a larger --count-share.',
    },
  )
}
