import { axisSizes, type LinearQuery } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { cellQuery } from '../blue/cell-query.ts'
import type { Features } from './feature.ts'

/**
 * The cells of a grouped query that a record is most likely to be in before any answer, so many at most, in their order: by the product over
 * the axes of what each group has of the prior. All cells have the same noise, so of counts these tell most. Cells that are equally
 * likely are taken at even distances.
 */
export function likeliestCells(query: LinearQuery, u: Universe, features: Features, most: number): number[] {
  const sizes = axisSizes(query, u)
  const count = sizes.reduce((product, size) => product * size, 1)
  if (count <= most) return Array.from({ length: count }, (_, cell) => cell)
  const shares = query.by.map((axis, i) =>
    Float64Array.from({ length: sizes[i]! }, (_, group) =>
      Math.abs(features.of(cellQuery({ ...query, by: [axis] }, u, group)).mean),
    ),
  )
  return largestOf(shares.reduce(outerProduct, Float64Array.of(1)), most)
}

/** All products, those of the second running fastest. */
function outerProduct(first: Float64Array, second: Float64Array): Float64Array {
  const all = new Float64Array(first.length * second.length)
  for (let i = 0, place = 0; i < first.length; i++)
    for (let j = 0; j < second.length; j++) all[place++] = first[i]! * second[j]!
  return all
}

/** The places of so many of the largest numbers, ascending. */
function largestOf(numbers: Float64Array, most: number): number[] {
  const least = numbers.toSorted()[numbers.length - most]!
  let [above, ties] = [0, 0]
  for (const x of numbers) {
    if (x > least) above++
    else if (x === least) ties++
  }
  const places: number[] = []
  let tie = 0
  const takenOf = (some: number) => Math.floor((some * (most - above)) / ties)
  for (let place = 0; place < numbers.length; place++) {
    const x = numbers[place]!
    if (x > least || (x === least && takenOf(tie + 1) > takenOf(tie))) places.push(place)
    if (x === least) tie++
  }
  return places
}
