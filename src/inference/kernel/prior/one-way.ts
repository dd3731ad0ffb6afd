import { marginal, marginalOver } from '../../../query/index.ts'
import { openHistory } from '../../blue/open-history.ts'
import type { ModelEstimate, PastAnswers } from '../../history-model.ts'
import { plausibleCounts } from '../plausible-counts.ts'
import type { PriorTables } from './prior.ts'

/** The one-way marginals that released tables tell, without negative counts; undefined for attributes in none of them. */
export function oneWayTables({ universe, measurements, records }: PastAnswers, random: () => number): PriorTables {
  const history = openHistory(universe, { random, ...(records !== undefined && { publicCount: records }) })
  const tables = measurements.filter(({ query }) => (marginalOver(query)?.length ?? 0) > 0)
  for (const table of tables) history.append(table)
  const told = new Set(tables.flatMap(({ query }) => marginalOver(query)!))
  return universe.attributes.map(({ name }) => {
    if (!told.has(name)) return undefined
    const counts = history.estimates(marginal([name])).filter((count) => count.estimable)
    if (counts.length === 0) return undefined
    const values = counts.map(({ estimate }) => estimate)
    const total = records ?? values.reduce((a, b) => a + b, 0)
    const deviations = counts.map(({ variance }) => Math.sqrt(variance))
    return plausibleCounts(values, deviations, Math.max(1, total))
  })
}

/** Of an attribute with more codes so many ranges of them are told apart. */
const mostRanges = 200

/** Neighbouring codes, as equally many in each as can be: [from, to] of every range. */
export const rangesOf = (size: number): (readonly [number, number])[] => {
  const count = Math.min(size, mostRanges)
  const start = (i: number) => Math.floor((i * size) / count)
  return Array.from({ length: count }, (_, i) => [start(i), start(i + 1) - 1])
}

/** A weight per code from what a model says of its ranges; inside of a range all codes are alike. */
export function spreadOut(size: number, estimates: readonly ModelEstimate[], records: number): Float64Array {
  const counts = plausibleCounts(
    estimates.map(({ estimate }) => estimate),
    estimates.map(({ error = 0 }) => error),
    Math.max(1, records),
  )
  const table = new Float64Array(size)
  for (const [i, [from, to]] of rangesOf(size).entries()) table.fill(counts[i]! / (to - from + 1), from, to + 1)
  return table
}
