import { offsets, outer, strides } from '../../numeric/index.ts'
import { answerSize, axisSizes, factorTable, groupOf, type LinearQuery, type Term } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { type AttributeUse, type Uses, weightedSums } from '../junction-tree/index.ts'
import type { Part } from './part.ts'

type Axes = ReadonlyMap<number, NonNullable<AttributeUse['groups']>>

/** The expected answers of one record to a query: for each term the product of what independent parts say. */
export function productAnswers(query: LinearQuery, universe: Universe, parts: readonly Part[]): Float64Array {
  const axes = axesOf(query, universe)
  const apart = strides(axisSizes(query, universe))
  const steps = new Map([...axes.keys()].map((a, axis) => [a, apart[axis]!]))
  const sums = new Float64Array(answerSize(query, universe))
  for (const term of query.terms) {
    const uses = usesOf(term, axes, universe)
    const order: number[] = []
    let product: Float64Array = Float64Array.of(term.coefficient)
    for (const part of new Set([...uses.keys()].map((a) => parts[a]!))) {
      const { attributes, values } = weightedSums(part.tree, uses)
      order.push(...attributes)
      product = outer(product, values)
    }
    const places = offsets(
      order.map((a) => axes.get(a)!.count),
      order.map((a) => steps.get(a)!),
    )
    for (let i = 0; i < places.length; i++) sums[places[i]!]! += product[i]!
  }
  return sums
}

function axesOf(query: LinearQuery, universe: Universe): Axes {
  return new Map(
    query.by.map((grouping) => {
      const position = universe.index.get(grouping.attribute)!
      const { size } = universe.attributes[position]!
      const of = Int32Array.from({ length: size }, (_, code) => groupOf(grouping, code))
      return [position, { of, count: grouping.groups?.length ?? size }]
    }),
  )
}

function usesOf(term: Term, axes: Axes, universe: Universe): Uses {
  const uses = new Map<number, AttributeUse>()
  for (const [position, groups] of axes) uses.set(position, { groups })
  for (const [name, factor] of Object.entries(term.factors)) {
    const position = universe.index.get(name)!
    const weights = factorTable(factor, universe.attributes[position]!.size)
    uses.set(position, { ...uses.get(position), weights })
  }
  return uses
}
