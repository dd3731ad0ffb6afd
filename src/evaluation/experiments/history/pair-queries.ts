import { one } from '../../../numeric/index.ts'
import { type Factor, factorTable, type LinearQuery } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { CodedTable } from '../../marginals/index.ts'

/** The two kinds of random queries of §5.1. */
type PairQueryKind = 'range' | 'counting'

/** Each over two attributes that are drawn alike: an interval of each, or any set of pairs of their values. */
export const pairQueries: {
  readonly [K in PairQueryKind]: (u: Universe, count: number, uniform: () => number) => LinearQuery[]
} = {
  range: (u, count, uniform) => Array.from({ length: count }, () => rangeQuery(u, uniform)),
  counting: (u, count, uniform) => Array.from({ length: count }, () => countingQuery(u, uniform)),
}

const below = (count: number, uniform: () => number): number => Math.floor(count * uniform())

/** Two different attributes, in the universe's order. */
function drawnPair({ attributes }: Universe, uniform: () => number) {
  const first = below(attributes.length, uniform)
  const other = below(attributes.length - 1, uniform)
  const second = other + (other >= first ? 1 : 0)
  return [attributes[Math.min(first, second)]!, attributes[Math.max(first, second)]!] as const
}

function rangeQuery(u: Universe, uniform: () => number): LinearQuery {
  const factors = drawnPair(u, uniform).map(({ name, size }): [string, Factor] => {
    const ends = [below(size, uniform), below(size, uniform)]
    return [name, { kind: 'interval', from: Math.min(...ends), to: Math.max(...ends) }]
  })
  return { by: [], terms: [{ coefficient: 1, factors: Object.fromEntries(factors) }], step: one }
}

/**
 * A term for every value of the attribute that has fewer, where any pair has it. A set without pairs is drawn again: its count is 0 for
 * every table, so nobody would ask for it, and no model takes it for an answer.
 */
function countingQuery(u: Universe, uniform: () => number): LinearQuery {
  const [few, many] = [...drawnPair(u, uniform)].sort((a, b) => a.size - b.size)
  const terms = Array.from({ length: few!.size }, (_, from) => {
    const codes = Array.from({ length: many!.size }, (_, code) => code).filter(() => uniform() < 0.5)
    return {
      coefficient: 1,
      factors: { [few!.name]: { kind: 'interval', from, to: from }, [many!.name]: { kind: 'set', codes } } as const,
    }
  }).filter(({ factors }) => {
    const of = factors[many!.name]!
    return of.kind !== 'set' || of.codes.length > 0
  })
  return terms.length > 0 ? { by: [], terms, step: one } : countingQuery(u, uniform)
}

/** The exact answers to queries over two attributes each; every pair is counted once. */
export function pairAnswers({ universe: u, rows, columns }: CodedTable, queries: readonly LinearQuery[]): number[] {
  const tables = new Map<string, Float64Array>()
  const tableOf = (x: number, y: number): Float64Array => {
    const key = `${x},${y}`
    const known = tables.get(key)
    if (known) return known
    const width = u.attributes[y]!.size
    const table = new Float64Array(u.attributes[x]!.size * width)
    for (let row = 0; row < rows; row++) table[columns[x]![row]! * width + columns[y]![row]!]!++
    tables.set(key, table)
    return table
  }
  return queries.map(({ terms }) => {
    const [x, y] = Object.keys(terms[0]!.factors)
      .map((name) => u.index.get(name)!)
      .sort((a, b) => a - b) as [number, number]
    const table = tableOf(x, y)
    const [a, b] = [u.attributes[x]!, u.attributes[y]!]
    let sum = 0
    for (const { factors } of terms) {
      const [g, h] = [factorTable(factors[a.name]!, a.size), factorTable(factors[b.name]!, b.size)]
      for (let i = 0; i < a.size; i++)
        if (g[i] !== 0) for (let j = 0; j < b.size; j++) sum += g[i]! * h[j]! * table[i * b.size + j]!
    }
    return sum
  })
}
