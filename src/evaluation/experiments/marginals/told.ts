import { fromNumber, rational } from '../../../numeric/index.ts'
import { countAll, type Measurement, queryKey } from '../../../query/index.ts'
import { consistentMarginals, type MethodName, measureMarginals, ownAnswers } from '../../../release/index.ts'
import { type Held, rhoCap, unitsToRational } from '../../../trusted/accounting/index.ts'
import { type Counted, errorOfZeros, openCounted, overallError } from '../../marginals/index.ts'

const delta = rational(1, 10 ** 9)

/** One way to release marginals. */
export interface Way {
  readonly method: MethodName
  readonly epsilon: number
  /** Errors of smaller counts are relative to this; by default a ten-thousandth of the records, and at least 10. */
  readonly floor?: number
}

/** An error as it is told, and as it is. */
interface Told {
  readonly told: number
  readonly is: number
}

/** What a release says about its errors, by table. */
export interface ToldErrors {
  readonly counts: readonly Told[]
  readonly measured: readonly Told[]
  readonly zeros: readonly Told[]
  readonly median: number
}

/** Releases marginals once, with n known, and compares what it says about its errors with the exact counts. */
export async function toldErrors(
  counted: Counted,
  { method, epsilon, floor = Math.max(10, 1e-4 * counted.records) }: Way,
  random: () => number,
): Promise<ToldErrors> {
  const { marginals, universe, records, counts: exact } = counted
  const isGaussian = method === 'gaussian'
  const price = fromNumber(epsilon)
  const budget: Held = isGaussian ? { rho: unitsToRational(rhoCap(price, delta)) } : { epsilon: price }
  const neighbours = 'replace-one'
  const { context } = await openCounted(counted, { epsilon: price, ...(isGaussian && { delta }), neighbours })
  const request = {
    marginals,
    method,
    budget,
    floor: { kind: 'count', count: floor },
    records: { kind: 'known', count: records },
  } as const
  const made = await measureMarginals(request, context)
  const n: Measurement = { id: 'n', query: countAll, law: { kind: 'none' }, values: Float64Array.of(records) }
  const measurements = made.receipts.flatMap((receipt) => receipt.measurements)
  const consistent = consistentMarginals(universe, marginals, { measurements: [n, ...measurements], random })
  const expected = consistent.expectedErrors(floor)
  const by = (told: (table: number) => number, values: (table: number) => ArrayLike<number>) =>
    exact.map((counts, i): Told => ({ told: told(i), is: overallError([counts], [values(i)], floor) }))
  const own = made.marginals.map(({ query }) =>
    ownAnswers(measurements.filter((m) => queryKey(m.query) === queryKey(query))),
  )
  return {
    median: expected.median,
    counts: by(
      (i) => expected.counts[i]!,
      (i) => consistent.counts[i]!,
    ),
    measured: by(
      (i) => own[i]!.deviation * expected.perUnit[i]!,
      (i) => own[i]!.values,
    ),
    zeros: exact.map((counts, i): Told => ({ told: expected.zeros[i]!, is: errorOfZeros([counts], floor) })),
  }
}
