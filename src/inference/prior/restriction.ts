import { type Factor, factorTable, type Indicator, type LinearQuery } from '../../query/index.ts'
import { attribute, type Universe, universe } from '../../schema/index.ts'

/** The universe with only the first so many codes of each attribute: the others are known to hold nobody. */
export const restrictedUniverse = (u: Universe, sizes: readonly number[]): Universe =>
  universe(
    u.attributes.map(({ name }, i) => attribute({ kind: 'integer', name, closed: true, low: 0, high: sizes[i]! - 1 })),
  )

/** The same query over the cells that are left. A full marginal stays one. */
export function restrictedQuery(query: LinearQuery, from: Universe, to: Universe): LinearQuery {
  const sizesOf = (name: string) => [from, to].map((u) => u.attributes[u.index.get(name)!]!.size) as [number, number]
  return {
    ...query,
    by: query.by.map(({ attribute: name, groups }) => ({
      attribute: name,
      ...(groups ? { groups: groups.map((group) => restricted(group, ...sizesOf(name)) as Indicator) } : {}),
    })),
    terms: query.terms.map(({ coefficient, factors }) => ({
      coefficient,
      factors: Object.fromEntries(
        Object.entries(factors).map(([name, factor]) => [name, restricted(factor, ...sizesOf(name))]),
      ),
    })),
  }
}

/** A factor over the first `to` of `from` codes. */
function restricted(factor: Factor, from: number, to: number): Factor {
  if (from === to) return factor
  if (factor.kind === 'set') return { kind: 'set', codes: factor.codes.filter((code) => code < to) }
  if (factor.kind === 'table') return { kind: 'table', values: [...factorTable(factor, from).subarray(0, to)] }
  if (factor.from >= to) return { kind: 'set', codes: [] }
  return { ...factor, to: Math.min(factor.to, to - 1) }
}
