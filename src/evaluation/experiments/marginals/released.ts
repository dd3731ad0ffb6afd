import { fromNumber } from '../../../numeric/index.ts'
import { countAll, type Measurement } from '../../../query/index.ts'
import { type Consistent, consistentMarginals, measureMarginals } from '../../../release/index.ts'
import { type Counted, openCounted } from '../../marginals/index.ts'

/** Smaller counts have errors relative to this share of all records. */
export const floorShare = 1e-4

interface Released {
  /** As measured, a table per marginal. */
  readonly measured: readonly Measurement[]
  readonly consistent: Consistent
}

/** Marginals by iReduct through the shipped meter, with a ledger of its own, and what is made of them; replace-one. */
export async function released(counted: Counted, epsilon: number, random: () => number): Promise<Released> {
  const budget = { epsilon: fromNumber(epsilon) }
  const { context } = await openCounted(counted, { ...budget, neighbours: 'replace-one' })
  const { marginals, records, universe } = counted
  const { receipts } = await measureMarginals(
    {
      marginals,
      method: 'ireduct',
      budget,
      floor: { kind: 'share', share: floorShare },
      records: { kind: 'known', count: records },
    },
    context,
  )
  const n: Measurement = { id: 'n', query: countAll, law: { kind: 'none' }, values: Float64Array.of(records) }
  const measured = receipts.flatMap((receipt) => receipt.measurements)
  return { measured, consistent: consistentMarginals(universe, marginals, { measurements: [n, ...measured], random }) }
}
