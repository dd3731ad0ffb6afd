import { answerSize, factorTable, type LinearQuery, noiseVariance } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { PastAnswers } from '../history-model.ts'

/**
 * The answers that tell most, as many as it takes to have so many noisy numbers; all of them in a shorter history. Which these
 * are depends on queries and noise alone: what a number varies by if every record may be in any cell, over its noise.
 */
export function mostTelling(past: PastAnswers, most: number): PastAnswers {
  const { universe, measurements } = past
  const all = measurements.reduce((sum, { values }) => sum + values.length, 0)
  if (all <= most) return past
  const ranked = measurements
    .map(({ query, law, values }, place) => ({
      place,
      size: values.length,
      tells: meanSquare(query, universe) / answerSize(query, universe) / noiseVariance(law),
    }))
    .sort((a, b) => b.tells - a.tells)
  let numbers = 0
  const kept = new Set<number>()
  for (const { place, size } of ranked) {
    if (numbers >= most) break
    kept.add(place)
    numbers += size
  }
  return { ...past, measurements: measurements.filter((_, place) => kept.has(place)) }
}

/** Of what a record adds, in steps; as if a query's terms had nothing to do with each other. */
const meanSquare = ({ terms }: LinearQuery, { attributes, index }: Universe): number =>
  terms.reduce((sum, { coefficient, factors }) => {
    const means = Object.entries(factors).map(([name, factor]) => {
      const { size } = attributes[index.get(name)!]!
      return factorTable(factor, size).reduce((squares, value) => squares + value * value, 0) / size
    })
    return sum + means.reduce((product, mean) => product * mean, coefficient * coefficient)
  }, 0)
