import { lawOf, sampler } from '../../../inference/index.ts'
import type { Measurement } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { type Combined, combine, type Precision } from './combine.ts'
import { relativeError } from './error.ts'
import { type Fitted, fitted } from './fit.ts'

/** About so many noisy numbers are drawn: large tables tell their mean error in a round or two. */
const mostCells = 200_000
const [leastRounds, mostRounds] = [2, 20]

/**
 * The error to be expected of fitted tables, one number per table, by a parametric bootstrap: were the fitted tables the
 * truth, how far would they be off if all noise was drawn again? From released numbers alone, so it costs nothing.
 */
export function expectedErrors(
  universe: Universe,
  marginals: readonly (readonly string[])[],
  from: {
    readonly measurements: readonly Measurement[]
    readonly precision: Precision
    readonly truth: Fitted
    readonly floor: number
    readonly random: () => number
  },
): Float64Array {
  const { measurements, precision, truth, floor, random } = from
  const cells = measurements.reduce((sum, { values }) => sum + values.length, 0)
  const rounds = Math.max(leastRounds, Math.min(mostRounds, Math.round(mostCells / cells)))
  const errors = new Float64Array(marginals.length)
  for (let round = 0; round < rounds; round++) {
    const noise = measurements.map((measurement) => redrawn(measurement, random))
    const again = fitted(universe, marginals, moved(combine(universe, marginals, noise), truth), {
      precision,
      rounds: 3,
    })
    for (const [i, table] of again.tables.entries())
      errors[i]! += relativeError(table, truth.unrounded[i]!, floor) / rounds
  }
  return errors
}

/** The measurement, had all true counts been 0. */
function redrawn(measurement: Measurement, random: () => number): Measurement {
  const law = lawOf(measurement.law)
  const draw = law ? sampler(law, random) : () => 0
  return { ...measurement, values: Float64Array.from({ length: measurement.values.length }, draw) }
}

/** The estimate is linear and unbiased: what it makes of noise alone is the error that comes to the truth. */
const moved = ({ total, tables, oneWay }: Combined, truth: Fitted): Combined => ({
  total: total + truth.total,
  tables: tables.map((table, i) => plus(table, truth.unrounded[i]!)),
  oneWay: new Map([...oneWay].map(([name, table]) => [name, plus(table, truth.oneWay.get(name)!)])),
})

const plus = (x: Float64Array, y: Float64Array): Float64Array => x.map((v, i) => v + y[i]!)
