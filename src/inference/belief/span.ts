import { toNumber } from '../../numeric/index.ts'
import { factorTable, type LinearQuery, type Term } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'

/** Queries as sums of a few of them that do not depend on each other. */
export interface Span {
  /** Places of those few. */
  readonly basis: readonly number[]
  /** Per query its weights of them. */
  readonly weights: readonly Float64Array[]
  /** The question's. */
  readonly question: Float64Array
}

/** A query with less than this share of its square outside of the others' span is one of them, if a check says so too. */
const dependent = 1e-9
/** Codes of factors, over all queries, times the number of queries: with more of them nothing is looked at. */
const mostWork = 2 ** 24
/** Sums of queries are compared on so many random vectors, to so many digits. */
const [checks, equal] = [3, 1e-9]

/**
 * The queries in terms of the first of them that are independent; undefined where the question is not a sum of these, or
 * where doubles cannot tell.
 */
export function spanOf(
  queries: readonly LinearQuery[],
  question: LinearQuery,
  universe: Universe,
  random: () => number,
): Span | undefined {
  const asked = [...queries, question]
  if (asked.length * asked.reduce((sum, query) => sum + codesIn(query, universe), 0) > mostWork) return undefined
  const all = asked.map((query) => tablesOf(query, universe))
  const gram = all.map((one) => all.map((other) => product(one, other)))
  const basis: number[] = []
  const weights = all.map((_, i) => {
    const known = solve(gram, basis, i)
    const rest = gram[i]![i]! - basis.reduce((sum, b, k) => sum + known[k]! * gram[b]![i]!, 0)
    if (i < queries.length && rest > dependent * gram[i]![i]!) {
      basis.push(i)
      return Float64Array.from(basis, (b) => (b === i ? 1 : 0))
    }
    return known
  })
  const full = weights.map((row) => Float64Array.from(basis, (_, k) => row[k] ?? 0))
  for (let i = 0; i < checks; i++) if (!agree(all, basis, full, universe, random)) return undefined
  return { basis, weights: full.slice(0, -1), question: full.at(-1)! }
}

const sizeOf = (name: string, { attributes, index }: Universe): number => attributes[index.get(name)!]!.size
const codesIn = ({ terms }: LinearQuery, universe: Universe): number =>
  terms.reduce((sum, { factors }) => Object.keys(factors).reduce((all, name) => all + sizeOf(name, universe), sum), 0)

interface Tables {
  readonly step: number
  readonly terms: readonly { readonly coefficient: number; readonly factors: ReadonlyMap<string, Float64Array> }[]
}

function tablesOf({ terms, step }: LinearQuery, universe: Universe): Tables {
  const table = ({ coefficient, factors }: Term) => ({
    coefficient,
    factors: new Map(
      Object.entries(factors).map(([name, factor]) => {
        return [name, factorTable(factor, sizeOf(name, universe))]
      }),
    ),
  })
  return { step: toNumber(step), terms: terms.map(table) }
}

/** The mean over all cells of one query's weight times another's. */
const product = (one: Tables, other: Tables): number =>
  one.terms.reduce((sum, a) => sum + other.terms.reduce((rest, b) => rest + meanOf(a, b), 0), 0) * one.step * other.step

function meanOf(a: Tables['terms'][number], b: Tables['terms'][number]): number {
  let mean = a.coefficient * b.coefficient
  for (const name of new Set([...a.factors.keys(), ...b.factors.keys()])) {
    const [f, g] = [a.factors.get(name), b.factors.get(name)]
    const table = f ?? g!
    let sum = 0
    for (let i = 0; i < table.length; i++) sum += (f?.[i] ?? 1) * (g?.[i] ?? 1)
    mean *= sum / table.length
  }
  return mean
}

/** The weights of the basis in its nearest sum to query i: Gaussian elimination, of at most 50 rows. */
function solve(gram: readonly (readonly number[])[], basis: readonly number[], i: number): Float64Array {
  const rows = basis.map((b) => [...basis.map((c) => gram[b]![c]!), gram[b]![i]!])
  rows.forEach((row, k) => {
    for (const other of rows.slice(k + 1)) {
      const times = other[k]! / row[k]!
      for (let j = k; j < row.length; j++) other[j]! -= times * row[j]!
    }
  })
  const weights = new Float64Array(basis.length)
  for (let k = basis.length - 1; k >= 0; k--) {
    const row = rows[k]!
    let rest = row[basis.length]!
    for (let j = k + 1; j < basis.length; j++) rest -= row[j]! * weights[j]!
    weights[k] = rest / row[k]!
  }
  // Most are whole numbers.
  return weights.map((w) => (Math.abs(w - Math.round(w)) < 1e-7 ? Math.round(w) : w))
}

/**
 * Whether all sums are what they are said to be, on a random product of numbers from -1 to 1: a difference in one cell would show.
 * Attributes that nobody looks at would be the same factor throughout, and many of them one that is lost in rounding.
 */
function agree(
  all: readonly Tables[],
  basis: readonly number[],
  weights: readonly Float64Array[],
  universe: Universe,
  random: () => number,
): boolean {
  const names = new Set(all.flatMap(({ terms }) => terms.flatMap(({ factors }) => [...factors.keys()])))
  const numbers = new Map(
    Array.from(names, (name) => [name, Float64Array.from({ length: sizeOf(name, universe) }, () => 2 * random() - 1)]),
  )
  const values = all.map(({ step, terms }) =>
    terms.reduce((sum, { coefficient, factors }) => {
      let value = coefficient * step
      for (const [name, own] of numbers) {
        const factor = factors.get(name)
        value *= own.reduce((total, x, code) => total + x * (factor?.[code] ?? 1), 0)
      }
      return sum + value
    }, 0),
  )
  return weights.every((row, i) => {
    const parts = basis.map((b, k) => row[k]! * values[b]!)
    const size = parts.reduce((sum, part) => sum + Math.abs(part), Math.abs(values[i]!))
    return Math.abs(values[i]! - parts.reduce((sum, part) => sum + part, 0)) <= equal * size
  })
}
