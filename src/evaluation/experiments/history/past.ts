import type { PastAnswers } from '../../../inference/index.ts'
import { divide, fromNumber, rational } from '../../../numeric/index.ts'
import { type LinearQuery, type Measurement, marginal } from '../../../query/index.ts'
import { type Bits, discreteLaplace } from '../../../trusted/random/index.ts'
import { type CodedTable, sharedTable } from '../../marginals/index.ts'
import type { ExperimentOptions } from '../experiment.ts'
import { inventedAdult } from './invented-adult.ts'
import { pairAnswers } from './pair-queries.ts'

/** What holds in every experiment here. */
export const model =
  'Replace-one: n is public, and one record changes any count by at most 1, so m counts with noise of scale b cost ε ≤ m/b; nine one-way marginals at ε have noise of scale 18/ε.'

/** The public table, where it lies beside the project, and the invented one; for a first look a small one of the latter. */
export function tablesFor({ quick, seed }: ExperimentOptions): CodedTable[] {
  if (quick) return [inventedAdult(20_000, seed)]
  return [sharedTable('census_income'), inventedAdult(500_000, seed)].filter((table) => table !== undefined)
}

/** Queries, their exact answers, and what a history of them with Laplace noise of this scale tells; n is public. */
export interface PastQueries {
  readonly queries: readonly LinearQuery[]
  readonly exact: readonly number[]
  readonly past: PastAnswers
}

export function pastQueries(
  table: CodedTable,
  queries: readonly LinearQuery[],
  scale: number,
  bits: Bits,
): PastQueries {
  const exact = pairAnswers(table, queries)
  const law = { kind: 'laplace', scale: rational(scale) } as const
  const measurements = queries.map((query, i) => ({
    id: `${i + 1}.0`,
    query,
    law,
    values: Float64Array.of(exact[i]! + Number(discreteLaplace(law.scale, bits))),
  }))
  return { queries, exact, past: { universe: table.universe, measurements, records: table.rows } }
}

/** All one-way marginals, bought together at this ε. */
export function boughtMarginals(table: CodedTable, epsilon: number, bits: Bits): Measurement[] {
  const { attributes } = table.universe
  const scale = divide(rational(2 * attributes.length), fromNumber(epsilon))
  return attributes.map(({ name, size }, place) => {
    const values = new Float64Array(size)
    for (const code of table.columns[place]!) values[code]!++
    for (let code = 0; code < size; code++) values[code]! += Number(discreteLaplace(scale, bits))
    return { id: `0.${place}`, query: marginal([name]), law: { kind: 'laplace', scale }, values }
  })
}

export const rootMeanSquare = (estimates: readonly number[], exact: readonly number[]): number =>
  Math.sqrt(estimates.reduce((sum, estimate, i) => sum + (estimate - exact[i]!) ** 2, 0) / exact.length)
