import {
  answerSize,
  attributesOf,
  factorTable,
  type Grouping,
  groupOf,
  type LinearQuery,
  marginalOver,
} from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'

/** A query, spread out over the cells of the attributes that it looks at. */
export interface QueryTable {
  /** Positions in the universe: those of the answer's axes in their order, then the others. */
  readonly axes: readonly number[]
  /** Number of answers. */
  readonly answers: number
  /** Per cell of these axes, the answer that it counts in; undefined where every cell is an answer of its own. */
  readonly place?: Int32Array
  /** Per cell, what a record there adds to it; undefined where that is 1 everywhere. */
  readonly weight?: Float64Array
}

export function queryTable(query: LinearQuery, universe: Universe): QueryTable {
  const positions = (names: readonly string[]) => names.map((name) => universe.index.get(name)!)
  const full = marginalOver(query)
  const answers = answerSize(query, universe)
  if (full) return { axes: positions(full), answers }
  const by = query.by.map(({ attribute }) => attribute)
  const names = [...by, ...attributesOf(query, universe).filter((name) => !by.includes(name))]
  const sizes = names.map((name) => universe.attributes[universe.index.get(name)!]!.size)
  return { axes: positions(names), answers, place: places(query.by, sizes), weight: weights(query, names, sizes) }
}

/** Cells that are in no group have a weight of 0, and their place does not matter. */
function places(by: readonly Grouping[], sizes: readonly number[]): Int32Array {
  return sizes.reduce((places, size, axis) => {
    const g = by[axis]
    const groups = g?.groups?.length ?? (g ? size : 1)
    const group = (code: number) => (g ? Math.max(0, groupOf(g, code)) : 0)
    return outer(places, size, (place, code) => place * groups + group(code), Int32Array)
  }, Int32Array.of(0))
}

function weights({ by, terms }: LinearQuery, names: readonly string[], sizes: readonly number[]): Float64Array {
  const sums = new Float64Array(sizes.reduce((cells, size) => cells * size, 1))
  for (const { coefficient, factors } of terms) {
    let term = Float64Array.of(coefficient)
    for (const [axis, size] of sizes.entries()) {
      const factor = factors[names[axis]!]
      const table = factor ? factorTable(factor, size) : new Float64Array(size).fill(1)
      term = outer(term, size, (weight, code) => weight * table[code]!, Float64Array)
    }
    for (let i = 0; i < sums.length; i++) sums[i]! += term[i]!
  }
  const inGroups = by.map((g, axis) =>
    Float64Array.from({ length: sizes[axis]! }, (_, c) => Number(groupOf(g, c) >= 0)),
  )
  const isIn = sizes.reduce(
    (all, size, axis) => outer(all, size, (is, code) => is * (inGroups[axis]?.[code] ?? 1), Float64Array),
    Float64Array.of(1),
  )
  return sums.map((weight, i) => weight * isIn[i]!)
}

type Numbers = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** Every number with every code of one more axis. */
function outer<A extends Numbers>(
  numbers: A,
  size: number,
  combine: (number: number, code: number) => number,
  Kind: new (length: number) => A,
): A {
  const next = new Kind(numbers.length * size)
  for (let i = 0, at = 0; i < numbers.length; i++)
    for (let code = 0; code < size; code++) next[at++] = combine(numbers[i]!, code)
  return next
}

/** The answers, from the marginal over the query's axes. */
export function answersFrom({ answers, place, weight }: QueryTable, marginal: Float64Array): Float64Array {
  if (!weight) return marginal.slice()
  const sums = new Float64Array(answers)
  for (let i = 0; i < marginal.length; i++) sums[place![i]!]! += marginal[i]! * weight[i]!
  return sums
}

/** The other way: Σ over the answers of a number times what a record in the cell adds to it. */
export function spreadOut({ place, weight }: QueryTable, numbers: Float64Array): Float64Array {
  return weight ? weight.map((w, i) => w * numbers[place![i]!]!) : numbers
}
