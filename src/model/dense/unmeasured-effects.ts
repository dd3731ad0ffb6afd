import { attributesOf, factorTable, type LinearQuery, marginalOver } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { NoisyAnswer } from '../fitted-model.ts'

/** A product of more attributes has too many parts to look at. */
const mostAttributes = 6

/**
 * A parity that is measured by itself says nothing of its parts: that two attributes mostly differ may come from a frequent
 * value of each, in one of two ways, and a smooth fit would settle for either. Rounds measure what is large first, so what
 * they left out is no larger: parts that no answer tells are taken for 0, give or take what the answers have in the middle.
 */
export function unmeasuredEffects(answers: readonly NoisyAnswer[], universe: Universe): NoisyAnswer[] {
  const contrasts = answers.filter(({ query }) => isContrast(query, universe))
  const told = answers.map(({ query }) => marginalOver(query)).filter((names) => names !== undefined)
  const known = new Set(contrasts.map(({ query }) => keyOf(attributesOf(query, universe))))
  const variance = usualSquare(contrasts)
  const effects: NoisyAnswer[] = []
  for (const { query } of contrasts)
    for (const part of partsOf(query)) {
      const names = attributesOf(part, universe)
      if (known.has(keyOf(names)) || told.some((marginal) => names.every((name) => marginal.includes(name)))) continue
      known.add(keyOf(names))
      effects.push({ query: part, values: Float64Array.of(0), variance })
    }
  return effects
}

const keyOf = (names: readonly string[]): string => JSON.stringify(names.toSorted())

/** One number: a product of functions of single attributes, each of which is 0 on average. A parity is one. */
export function isContrast({ by, terms: [term, ...others] }: LinearQuery, { attributes, index }: Universe): boolean {
  const factors = Object.entries(term?.factors ?? {})
  if (by.length > 0 || others.length > 0 || factors.length === 0 || factors.length > mostAttributes) return false
  return factors.every(([name, factor]) => {
    const table = factorTable(factor, attributes[index.get(name)!]!.size)
    return table.some((value) => value !== 0) && table.reduce((sum, value) => sum + value, 0) === 0
  })
}

/** The same product over some of its attributes, but not all. */
function partsOf(query: LinearQuery): LinearQuery[] {
  const [term] = query.terms
  const factors = Object.entries(term!.factors)
  const choices = Array.from({ length: 2 ** factors.length - 2 }, (_, i) => i + 1)
  return choices.map((choice) => {
    const some = factors.filter((_, f) => (choice >> f) & 1)
    return { ...query, terms: [{ ...term!, factors: Object.fromEntries(some) }] }
  })
}

/** What these answers have in the middle, squared, and the noise of one. */
function usualSquare(answers: readonly NoisyAnswer[]): number {
  const sizes = answers.map(({ values }) => Math.abs(values[0]!)).sort((a, b) => a - b)
  return (sizes[sizes.length >> 1] ?? 0) ** 2 + Math.max(0, ...answers.map(({ variance }) => variance))
}
