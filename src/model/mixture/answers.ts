import { answerSize, factorTable, type Grouping, groupOf, type LinearQuery, type Term } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { AttributeOfMixture, Mixture } from './mixture.ts'
import { addProductSums, type Panel } from './product-sum.ts'

/**
 * The expected answer per record, in the query's steps. Inside a component the attributes are independent, so the mean of a term
 * is the product of its factors' means, and a group's share of it is a product over the axes.
 */
export function meanAnswers(query: LinearQuery, mixture: Mixture, universe: Universe): Float64Array {
  const answers = new Float64Array(answerSize(query, universe))
  for (const term of query.terms) {
    const axes = query.by.map((grouping) => axisPanel(grouping, term, mixture, universe))
    const weights = mixture.weights.map((weight) => weight * term.coefficient)
    const grouped = new Set(query.by.map(({ attribute }) => attribute))
    for (const [name, factor] of Object.entries(term.factors)) {
      if (grouped.has(name)) continue
      const attribute = universe.index.get(name)!
      const table = factorTable(factor, universe.attributes[attribute]!.size)
      const means = groupMeans(mixture.attributes[attribute]!, table, () => 0, 1, weights.length)
      for (let k = 0; k < weights.length; k++) weights[k]! *= means[k]!
    }
    addProductSums(weights, axes, answers)
  }
  return answers
}

function axisPanel(grouping: Grouping, { factors }: Term, mixture: Mixture, universe: Universe): Panel {
  const attribute = universe.index.get(grouping.attribute)!
  const { size } = universe.attributes[attribute]!
  const table = factorTable(factors[grouping.attribute], size)
  const rows = grouping.groups?.length ?? size
  const group = (code: number) => groupOf(grouping, code)
  return { rows, values: groupMeans(mixture.attributes[attribute]!, table, group, rows, mixture.weights.length) }
}

/** Σ over a group's codes of probability·value, by group and component. */
function groupMeans(
  { atoms, shares, probabilities }: AttributeOfMixture,
  values: Float64Array,
  group: (code: number) => number,
  groups: number,
  count: number,
): Float64Array {
  const means = new Float64Array(groups * count)
  for (let code = 0; code < values.length; code++) {
    const value = values[code]! * shares[code]!
    const to = value === 0 ? -1 : group(code)
    if (to < 0) continue
    const from = atoms.groupOf[code]! * count
    for (let k = 0; k < count; k++) means[to * count + k]! += value * probabilities[from + k]!
  }
  return means
}
