// A release of many tables: all 2,925 three-way marginals of 27 attributes with a NULL each (78,975 cells), measured by
// iReduct, then made to agree, with an interval for every table. Every table has a scale of its own, so no two have one law.
import { countMarginals, openCounted, seededBits } from '../src/evaluation/index.ts'
import { errorLawByCharacteristic, openHistory } from '../src/inference/index.ts'
import { rational } from '../src/numeric/index.ts'
import { countAll, type LinearQuery } from '../src/query/index.ts'
import { allWays, consistentMarginals, measureMarginals } from '../src/release/index.ts'
import { attribute, universe } from '../src/schema/index.ts'
import { best, check, type Figure, report } from './harness.ts'

const rows = 30_000
const { uniform } = seededBits(1)
const columns = Array.from({ length: 27 }, () => new Uint16Array(rows))
for (let row = 0; row < rows; row++) {
  const share = uniform()
  for (const [i, column] of columns.entries()) column[row] = uniform() < (share * (i + 1)) / columns.length ? 1 : 0
}
const bits = universe(columns.map((_, i) => attribute({ kind: 'boolean', name: `bit_${i + 1}`, closed: false })))
const counted = countMarginals({ name: 'bits', universe: bits, rows, columns }, allWays(bits, 3))

const epsilon = rational(10)
const { context } = await openCounted(counted, { epsilon, neighbours: 'add-remove' })
const start = performance.now()
const { receipts, marginals } = await measureMarginals(
  {
    marginals: counted.marginals,
    method: 'ireduct',
    budget: { epsilon },
    floor: { kind: 'share', share: 1e-4 },
    records: { kind: 'known', count: rows },
  },
  context,
)
const figures: Figure[] = [
  { what: 'iReduct, 2,925 tables, ε = 10', value: (performance.now() - start) / 1000, unit: 's', atMost: 15 },
]
check(new Set(marginals.map(({ scale }) => scale)).size > 100, 'tables have scales of their own')

const measurements = receipts.flatMap((receipt) => receipt.measurements)
const made = await best(() => consistentMarginals(bits, counted.marginals, { measurements, random: uniform }), 2)
figures.push({ what: 'combine and fit them', value: made.milliseconds / 1000, unit: 's' })
const widths = await best(() => made.value.laws.map((law) => law.halfWidth(0.95)), 1)
figures.push({ what: 'their intervals', value: widths.milliseconds / 1000, unit: 's', atMost: 10 })
check(
  widths.value.every((width, i) => width > 0 && width < 3 * Math.sqrt(made.value.laws[i]!.variance)),
  'an interval is a few deviations wide',
)

const one: LinearQuery = {
  ...countAll,
  terms: [{ coefficient: 1, factors: { bit_5: { kind: 'interval', from: 1, to: 1 } } }],
}
const asked = await best(() => {
  const history = openHistory(bits, { random: uniform })
  for (const measurement of measurements) history.append(measurement)
  const estimate = history.estimate(one)
  return estimate.estimable && errorLawByCharacteristic(estimate.coefficients).halfWidth(0.95)
}, 3)
figures.push({ what: 'the first free answer from them', value: asked.milliseconds, unit: 'ms', atMost: 1000 })
await report('Many marginals', figures)
