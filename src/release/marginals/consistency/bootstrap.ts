import { lawOf, sampler } from '../../../inference/index.ts'
import { median } from '../../../numeric/index.ts'
import type { Measurement } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { meanReciprocal } from '../oracle.ts'
import { type Combined, combine, type Precision } from './combine.ts'
import { errorOfZeros, relativeError } from './error.ts'
import { fitted } from './fit.ts'
import { type Truth, truths } from './truths/truths.ts'
import { wholeNumbers } from './whole-numbers.ts'

/** About so many noisy numbers are drawn: the mean error of large tables is clear after a round or two. */
const mostCells = 200_000
const [leastRounds, mostRounds] = [2, 20]

/** What to expect of each table, on average over plausible tables. */
export interface ExpectedErrors {
  /** Of whole numbers, fitted. */
  readonly counts: Float64Array
  /** Of a table of zeros. */
  readonly zeros: Float64Array
  /** The median over all tables of what whole numbers, fitted, have. */
  readonly median: number
  /** Of one unit of noise in every cell: the mean of 1/max(δ, count). */
  readonly perUnit: Float64Array
}

/**
 * The expected error of fitted tables by a parametric bootstrap: we draw tables that are plausible given what was
 * released, redraw all noise around them, and measure the error. It uses released numbers alone, so it costs nothing.
 */
export function expectedErrors(
  universe: Universe,
  marginals: readonly (readonly string[])[],
  from: {
    readonly measurements: readonly Measurement[]
    readonly precision: Precision
    readonly combined: Combined
    readonly floor: number
    readonly random: () => number
  },
): ExpectedErrors {
  const { measurements, precision, combined, floor, random } = from
  const cells = measurements.reduce((sum, { values }) => sum + values.length, 0)
  const rounds = Math.max(leastRounds, Math.min(mostRounds, Math.round(mostCells / cells)))
  const draw = truths(universe, marginals, { combined, precision, random })
  const [counts, zeros, perUnit] = Array.from({ length: 3 }, () => new Float64Array(marginals.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  let middle = 0
  for (let round = 0; round < rounds; round++) {
    const truth = draw()
    const noise = measurements.map((measurement) => redrawn(measurement, random))
    const again = fitted(universe, marginals, moved(combine(universe, marginals, noise), truth), {
      precision,
      rounds: 2,
    })
    const errors = again.tables.map((table, i) =>
      relativeError(wholeNumbers(table, again.total), truth.tables[i]!, floor),
    )
    middle += median(errors) / rounds
    for (const [i] of again.tables.entries()) {
      const such = truth.tables[i]!
      counts[i]! += errors[i]! / rounds
      zeros[i]! += errorOfZeros(such, floor) / rounds
      perUnit[i]! += meanReciprocal(such, floor) / rounds
    }
  }
  return { counts, zeros, perUnit, median: middle }
}

/** The measurement, had all true counts been 0. */
function redrawn(measurement: Measurement, random: () => number): Measurement {
  const law = lawOf(measurement.law)
  const draw = law ? sampler(law, random) : () => 0
  return { ...measurement, values: Float64Array.from({ length: measurement.values.length }, draw) }
}

/** The estimate is linear and gives exact tables back: what it makes of noise alone is the error that comes to the truth. */
const moved = ({ total, tables, oneWay }: Combined, truth: Truth): Combined => ({
  total: total + truth.total,
  tables: tables.map((table, i) => plus(table, truth.tables[i]!)),
  oneWay: new Map([...oneWay].map(([name, table]) => [name, plus(table, truth.oneWay.get(name)!)])),
})

const plus = (x: Float64Array, y: Float64Array): Float64Array => x.map((v, i) => v + y[i]!)
