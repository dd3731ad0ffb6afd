import { strides } from '../../numeric/index.ts'
import {
  answerSize,
  axisSizes,
  type Integers,
  type LinearQuery,
  type Measurement,
  marginalOver,
} from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { type Law, varianceOf } from '../error-law/law.ts'
import type { Part } from './blocks/part.ts'
import { cellQuery } from './cell-query.ts'
import { compile, type Shapes, type Weights } from './compile.ts'
import type { Marginal } from './marginals/components.ts'

/** One noisy number with a query of its own, in the query's steps. */
export interface ScalarAnswer {
  readonly id: string
  readonly cell: number
  readonly weights: Weights
  readonly value: number
  readonly law: Law
  readonly variance: number
  /** Where it is a sum of noisy numbers: of which; its law is then that of their noises together. */
  readonly parts?: readonly Part[]
  /** How far rounding may have moved the value. */
  readonly rounding?: number
}
export interface MarginalAnswer extends Marginal {
  readonly id: string
  readonly law: Law
}

/** The least variance of any noise, to avoid a division by 0. It errs on the wide side. */
const leastVariance = 1e-12
export const weightOf = (law: Law) => Math.max(leastVariance, varianceOf(law))

/** The full marginal that was measured, its axes in the universe's order; undefined for any other query. */
export function readMarginal({ id, query, values }: Measurement, law: Law, u: Universe): MarginalAnswer | undefined {
  const names = marginalOver(query)
  if (!names) return undefined
  const places = names.map((name) => u.index.get(name)!)
  const order = [...places.keys()].sort((i, j) => places[i]! - places[j]!)
  return {
    id,
    law,
    attributes: order.map((i) => places[i]!).filter((place) => u.attributes[place]!.size > 1),
    values: transposed(numbers(values), axisSizes(query, u), order),
    variance: weightOf(law),
  }
}

/** Every cell of an answer as a scalar. Cells that no record can be in say nothing. */
export function readScalars({ id, query, values }: Measurement, law: Law, u: Universe, shapes: Shapes): ScalarAnswer[] {
  const variance = weightOf(law)
  return Array.from(numbers(values), (value, cell) => {
    const weights = compile(cellQuery(query, u, cell), u, shapes)
    return { id, cell, weights, value, law, variance }
  }).filter(({ weights }) => weights.terms.length > 0)
}

/** The cells of a query, each as a query of its own. */
export const cellsOf = (query: LinearQuery, u: Universe): LinearQuery[] =>
  Array.from({ length: answerSize(query, u) }, (_, cell) => cellQuery(query, u, cell))

export const numbers = (values: Integers): Float64Array =>
  values instanceof Float64Array ? values : Float64Array.from(values, Number)

/** A table over a marginal's attributes in the universe's order, with the axes as the query has them. */
export function inOrderOf(names: readonly string[], table: Float64Array, u: Universe): Float64Array {
  const sorted = [...names].sort((a, b) => u.index.get(a)! - u.index.get(b)!)
  const sizes = sorted.map((name) => u.attributes[u.index.get(name)!]!.size)
  return transposed(
    table,
    sizes,
    names.map((name) => sorted.indexOf(name)),
  )
}

/** The same table with its axes in another order: axis i of the result is axis order[i] of the table. */
function transposed(table: Float64Array, sizes: readonly number[], order: readonly number[]): Float64Array {
  if (order.every((axis, i) => axis === i)) return table
  const steps = strides(sizes)
  const result = new Float64Array(table.length)
  let next = 0
  const walk = (i: number, at: number): void => {
    if (i === order.length) result[next++] = table[at]!
    else for (let code = 0; code < sizes[order[i]!]!; code++) walk(i + 1, at + code * steps[order[i]!]!)
  }
  walk(0, 0)
  return result
}
