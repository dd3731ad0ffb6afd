import { answerSize, axisSizes, factorTable, groupOf } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { Answered, FeatureSource } from './answered.ts'

/** A sum of products of functions of single attributes: for features that look at too many cells to be spread out. */
export interface WideFeature {
  /** Positions in the universe, ascending. */
  readonly attributes: readonly number[]
  readonly terms: readonly WideTerm[]
}
interface WideTerm {
  readonly coefficient: number
  /** A value per code, for each of the feature's attributes. */
  readonly factors: readonly Float64Array[]
}

/** One feature per cell of each answer. */
export function wideFeatures(
  universe: Universe,
  answers: readonly Answered[],
): { readonly feature: WideFeature; readonly source: FeatureSource }[] {
  return answers.flatMap((answer) =>
    Array.from({ length: answerSize(answer.query, universe) }, (_, place) => {
      const { feature, scale } = wideFeature(universe, answer, place)
      return { feature, source: { answer, place, scale } }
    }),
  )
}

function wideFeature(universe: Universe, { query }: Answered, place: number) {
  const groups = groupsAt(axisSizes(query, universe), place)
  const names = new Set([...query.by.map(({ attribute }) => attribute)])
  for (const { factors } of query.terms) for (const name of Object.keys(factors)) names.add(name)
  const attributes = [...names].map((name) => universe.index.get(name)!).sort((a, b) => a - b)
  const values = (a: number, factors: Answered['query']['terms'][0]['factors']): Float64Array => {
    const { name, size } = universe.attributes[a]!
    const table = factorTable(factors[name], size)
    const axis = query.by.findIndex(({ attribute }) => attribute === name)
    return axis < 0 ? table : table.map((value, code) => (groupOf(query.by[axis]!, code) === groups[axis] ? value : 0))
  }
  const terms = query.terms.map(({ coefficient, factors }) => ({
    coefficient,
    factors: attributes.map((a) => values(a, factors)),
  }))
  const scale = terms.reduce(
    (sum, { coefficient, factors }) => sum + factors.reduce((size, f) => size * largest(f), Math.abs(coefficient)),
    0,
  )
  const scaled = terms.map(({ coefficient, factors }) => ({ coefficient: coefficient / (scale || 1), factors }))
  return { feature: { attributes, terms: scaled }, scale: scale || 1 }
}

const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

/** The group on each axis of one cell of an answer, the last axis running fastest. */
function groupsAt(sizes: readonly number[], place: number): number[] {
  const groups: number[] = []
  let rest = place
  for (const size of sizes.toReversed()) {
    groups.unshift(rest % size)
    rest = Math.floor(rest / size)
  }
  return groups
}
