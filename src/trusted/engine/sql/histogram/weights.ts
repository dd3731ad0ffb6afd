import { type Factor, factorTable, type Grouping, type LinearQuery, type Term } from '../../../../query/index.ts'
import type { Universe } from '../../../../schema/index.ts'

/** More records than any table has, for what must be decided without looking at the data. */
const mostRecords = 2 ** 40

const largest = (table: Float64Array): number => table.reduce((most, v) => Math.max(most, Math.abs(v)), 0)

/** The most that a product of factors can be in absolute value. */
export const productBound = (factors: Term['factors'], u: Universe): number =>
  Object.entries(factors).reduce((n, [a, f]) => n * largestOf(f, u.attributes[u.index.get(a)!]!.size), 1)

const largestOf = (f: Factor, size: number): number =>
  f.kind === 'interval' ? 1 : f.kind === 'set' ? Math.sign(f.codes.length) : largest(factorTable(f, size))

/** The most that one record can add to an answer, in steps. */
export const weightBound = (q: LinearQuery, u: Universe): number =>
  q.terms.reduce((sum, t) => sum + Math.abs(t.coefficient) * productBound(t.factors, u), 0)

/** Whether sums with weights of this size might leave the doubles' integers: a public fact, whatever the data is. */
export const isWide = (bound: number): boolean => bound * mostRecords > Number.MAX_SAFE_INTEGER

/** Whether an engine gives this query's answer as BigInts. */
export const needsBigInts = (q: LinearQuery, u: Universe): boolean => isWide(weightBound(q, u))

/** The group of every code on an axis; -1 for codes that are left out. */
export function groupTable({ groups }: Grouping, size: number): Int32Array {
  if (!groups) return Int32Array.from({ length: size }, (_, code) => code)
  const table = new Int32Array(size).fill(-1)
  groups.forEach((indicator, g) => {
    const member = factorTable(indicator, size)
    for (let code = 0; code < size; code++) if (member[code] === 1) table[code] = g
  })
  return table
}
