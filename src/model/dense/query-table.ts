import { outer, strides } from '../../numeric/index.ts'
import {
  answerSize,
  attributesOf,
  type Grouping,
  groupOf,
  type LinearQuery,
  marginalOver,
  weightTable,
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
  const steps = strides(by.map((g, axis) => g.groups?.length ?? sizes[axis]!))
  return sizes.reduce((places, size, axis) => {
    const g = by[axis]
    const shift = Int32Array.from({ length: size }, (_, code) => (g ? steps[axis]! * Math.max(0, groupOf(g, code)) : 0))
    const next = new Int32Array(places.length * size)
    for (let i = 0; i < next.length; i++) next[i] = places[Math.floor(i / size)]! + shift[i % size]!
    return next
  }, Int32Array.of(0))
}

function weights(query: LinearQuery, names: readonly string[], sizes: readonly number[]): Float64Array {
  const inGroups = sizes.map((size, axis) => {
    const g = query.by[axis]
    return Float64Array.from({ length: size }, (_, code) => Number(!g || groupOf(g, code) >= 0))
  })
  const isIn = inGroups.reduce(outer, Float64Array.of(1))
  return weightTable(query, names, sizes).map((weight, i) => weight * isIn[i]!)
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
