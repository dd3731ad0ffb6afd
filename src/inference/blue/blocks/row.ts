import type { Weights } from '../compile.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'
import { unit, unitsOf } from '../rounding.ts'
import { shapeOf } from './column-key.ts'
import { forEachWeight, type Part } from './part.ts'

/** An answer that is a sum of other noisy numbers. */
export interface Row extends ScalarAnswer {
  readonly parts: readonly Part[]
  readonly rounding: number
}

/** Numbers of one measurement, added up with weights. */
interface Sum {
  readonly value: number
  readonly rounding: number
  readonly variance: number
}

/** Sums of integers below 2^53 are exact. A number that is in several parts has one noise. */
function sumOf(parts: readonly Part[]): Sum {
  const { values, sizes, variance, members } = parts[0]!.block
  const isOne = parts.length === 1
  const weights = new Map<number, number>()
  let [value, size, squares, count] = [0, 0, 0, 0]
  for (const part of parts)
    forEachWeight(part, (at, weight) => {
      const product = weight * values[at]!
      value += product
      size += sizes ? Math.abs(weight) * sizes[at]! : Math.abs(product)
      count++
      if (isOne) squares += weight * weight
      else weights.set(at, (weights.get(at) ?? 0) + weight)
    })
  for (const weight of weights.values()) squares += weight * weight
  const isExact = !sizes && size < 2 ** 53 && parts.every(isWhole)
  // Means have the rounding errors of their own sums, and of shares that add up to 1 but for them.
  const units = unitsOf(4 * count) + (sizes ? 2 * unitsOf(members.length) : 0)
  return { value, rounding: isExact ? 0 : units * unit * size, variance: squares * variance }
}

const isWhole = ({ times, axes }: Part): boolean =>
  Number.isInteger(times) && axes.every(({ weights }) => weights.every(Number.isInteger))

/** What several measurements say about one query, each by the sum of its parts: weighted by their precisions. */
export function rowOf(weights: Weights, measurements: readonly (readonly Part[])[]): Row {
  const { id, law } = measurements[0]![0]!.block.members[0]!
  const sums = measurements.map(sumOf)
  const row = { id, law, cell: 0, weights }
  if (sums.length === 1) return { ...row, ...sums[0]!, parts: measurements[0]! }
  const precision = sums.reduce((sum, { variance }) => sum + 1 / variance, 0)
  let [value, size, rounding] = [0, 0, 0]
  const parts = measurements.flatMap((own, i) => {
    const share = 1 / sums[i]!.variance / precision
    value += share * sums[i]!.value
    size += Math.abs(share * sums[i]!.value)
    rounding += share * sums[i]!.rounding
    return own.map((part) => ({ ...part, times: share * part.times }))
  })
  // Shares add up to 1 but for rounding: what is missing is so many units of the value.
  rounding += 2 * unitsOf(sums.length) * unit * size
  return { ...row, value, rounding, variance: 1 / precision, parts }
}

/** The row of a part whose sum may be another number of such a size. */
export function rowOfSize(weights: Weights, part: Part, size: number): Row {
  const row = rowOf(weights, [[part]])
  const { sizes, members } = part.block
  const isExact = row.rounding === 0 && !sizes && size < 2 ** 53
  const units = unitsOf(4 * numbersIn(row)) + 2 * unitsOf(members.length)
  return { ...row, rounding: isExact ? 0 : units * unit * size }
}

/** How many noisy numbers are in it. */
export const numbersIn = ({ parts }: Row): number =>
  parts.reduce(
    (sum, { block, axes }) =>
      sum + block.members.length * axes.reduce((product, { support }) => product * support.length, 1),
    0,
  )

/** Equal for equal queries, if they are written alike. */
export const keyOf = ({ terms }: Weights): string =>
  terms
    .map(({ coefficient, attributes, columns }) => {
      const shapes = columns.map((column) => shapeOf(column))
      const times = shapes.reduce((product, shape) => product * shape.times, coefficient)
      return `${times}:${shapes.map(({ text }, i) => `${attributes[i]}=${text}`).join(';')}`
    })
    .join('+')
