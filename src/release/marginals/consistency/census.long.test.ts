import { expect, test } from 'vitest'
import { countMarginals, openCounted, overallError, sharedTable } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import { countAll } from '../../../query/index.ts'
import { allWays, measureMarginals } from '../../index.ts'
import { consistentMarginals } from './consistent.ts'

const table = sharedTable('census_income')

/** The overall errors of one release of all pairs: as iReduct measured them, as they are published, and as was said. */
async function errorsAt(epsilon: ReturnType<typeof rational>) {
  const counted = countMarginals(table!, allWays(table!.universe, 2))
  const { counts, marginals, records } = counted
  const floor = 1e-4 * records
  const { context } = await openCounted(counted, { epsilon, neighbours: 'replace-one' })
  const { marginals: measured, receipts } = await measureMarginals(
    {
      marginals,
      method: 'ireduct',
      budget: { epsilon },
      floor: { kind: 'count', count: floor },
      records: { kind: 'known', count: records },
    },
    context,
  )
  const size = { id: 'n', query: countAll, law: { kind: 'none' }, values: Float64Array.of(records) } as const
  const measurements = [...receipts.flatMap((receipt) => receipt.measurements), size]
  const made = consistentMarginals(table!.universe, marginals, { measurements, random: Math.random })
  const said = made.expectedErrors(floor).counts
  return {
    raw: overallError(
      counts,
      measured.map(({ values }) => values),
      floor,
    ),
    published: overallError(counts, made.counts, floor),
    said: said.reduce((sum, v) => sum + v, 0) / said.length,
  }
}

// Skipped where the public data set does not lie beside the project. Means of 29,298 cells: from run to run they differ by a few hundredths of themselves. Measured in
// docs/algorithms/marginals-afterwards.md: 0.079 and 0.28 of the raw error.
test.skipIf(!table)(
  'what is published is at most 0.22 of the raw error at ε = 0.1 (skipped without the data)',
  async () => {
    const { raw, published } = await errorsAt(rational(1, 10))
    expect(published / raw).toBeLessThan(0.22)
  },
)

test.skipIf(!table)('… and 0.5 of it at ε = 1, as is said from the released values alone', async () => {
  const { raw, published, said } = await errorsAt(rational(1))
  expect(published / raw).toBeLessThan(0.5)
  // Seen: 0.9 of it. The bootstrap takes for the truth what is itself an estimate.
  expect(said / published).toBeGreaterThan(0.75)
  expect(said / published).toBeLessThan(1.25)
})
