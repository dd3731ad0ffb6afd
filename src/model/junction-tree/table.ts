import { offsets, strides } from '../../numeric/index.ts'
import { Projection } from '../dense/projection.ts'

/** A table over some attributes (positions in the universe): one number per cell, the last attribute running fastest. */
export interface Table {
  readonly attributes: readonly number[]
  readonly values: Float64Array
}

/** The number of codes of each attribute of the universe. */
export type Sizes = readonly number[]

const sizesOf = (attributes: readonly number[], sizes: Sizes): number[] => attributes.map((a) => sizes[a]!)

/** The number of cells over these attributes. */
export const cellsOver = (attributes: readonly number[], sizes: Sizes): number =>
  attributes.reduce((cells, a) => cells * sizes[a]!, 1)

/** From the cells over some attributes to those over some of them, in any order. */
export const projectionOnto = (attributes: readonly number[], onto: readonly number[], sizes: Sizes): Projection =>
  new Projection(
    sizesOf(attributes, sizes),
    onto.map((a) => attributes.indexOf(a)),
  )

/** For every cell over `attributes` the cell over `onto` that it falls in. */
export function cellIndex(attributes: readonly number[], onto: readonly number[], sizes: Sizes): Int32Array {
  const apart = strides(sizesOf(onto, sizes))
  return offsets(
    sizesOf(attributes, sizes),
    attributes.map((a) => apart[onto.indexOf(a)] ?? 0),
  )
}
