import { mean, rational } from '../../../numeric/index.ts'
import { allWays, consistentMarginals, type MethodName, measureMarginals } from '../../../release/index.ts'
import { rhoCap, unitsToRational } from '../../../trusted/accounting/index.ts'
import {
  type Counted,
  countMarginals,
  generatedTable,
  openCounted,
  overallError,
  sharedTable,
} from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment } from '../experiment.ts'

const [floorShare, delta] = [1e-4, rational(1, 10 ** 9)]
const methods: readonly MethodName[] = ['gaussian', 'two-phase']
const promises = [
  { ways: 2, epsilon: rational(1), said: '(1, 10^-9)' },
  { ways: 1, epsilon: rational(1, 10), said: '(0.1, 10^-9)' },
] as const

/** The overall error of one release, of the measured values and of the published counts; n is known. */
async function errorsOf(
  counted: Counted,
  { epsilon }: (typeof promises)[number],
  method: MethodName,
  random: () => number,
) {
  const { context } = await openCounted(counted, { epsilon, delta, neighbours: 'add-remove' })
  const { marginals, universe, records, counts } = counted
  const floor = floorShare * records
  const made = await measureMarginals(
    {
      marginals,
      method,
      budget: { rho: unitsToRational(rhoCap(epsilon, delta)) },
      floor: { kind: 'count', count: floor },
      records: { kind: 'known', count: records },
    },
    context,
  )
  const measurements = made.receipts.flatMap((receipt) => receipt.measurements)
  const published = consistentMarginals(universe, marginals, { measurements, random }).counts
  const measured = made.marginals.map(({ values }) => values)
  return [overallError(counts, measured, floor), overallError(counts, published, floor)] as const
}

/** Gaussian noise in two phases beside noise that is the same everywhere. */
export const gaussianMarginals: Experiment = {
  name: 'marginals-gaussian',
  about: 'overall error of marginals with Gaussian noise, equal or in two phases',
  async run({ quick, seed, progress }) {
    const table = (quick ? undefined : sharedTable('census_income')) ?? generatedTable(quick ? 20_000 : 1_000_000, seed)
    const runs = quick ? 1 : 5
    const { uniform } = seededBits(seed)
    const rows: (string | number)[][] = []
    for (const promise of promises) {
      const counted = countMarginals(table, allWays(table.universe, promise.ways))
      for (const method of methods) {
        const errors: (readonly [number, number])[] = []
        for (let run = 0; run < runs; run++) errors.push(await errorsOf(counted, promise, method, uniform))
        rows.push([
          table.name,
          promise.ways,
          promise.said,
          method,
          runs,
          mean(errors.map(([m]) => m)),
          mean(errors.map(([, c]) => c)),
        ])
        progress(`${promise.ways}-way, ${method}`)
      }
    }
    return {
      settings: { records: table.rows, runs, seed, 'floor/n': floorShare },
      header: ['data', 'ways', 'promise', 'method', 'runs', 'measured', 'counts'],
      rows,
      panels: [
        {
          title: table.name,
          x: { label: '1: measured values, 2: published counts', close: true },
          y: { label: 'overall error', log: true },
          series: rows.map(([, ways, promise, method, , measured, counts]) => ({
            name: `${ways}-way at ${promise}, ${method}`,
            points: [
              [1, measured as number],
              [2, counts as number],
            ],
          })),
        },
      ],
      notes: [
        'Add-remove, n known. gaussian: the same noise in all tables; two-phase: a first look tells where less is needed.',
      ],
    }
  },
}
