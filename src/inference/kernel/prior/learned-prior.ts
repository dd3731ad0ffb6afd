import { one } from '../../../numeric/index.ts'
import { attributesOf, type LinearQuery } from '../../../query/index.ts'
import { mostTelling } from '../../fitted/most-telling.ts'
import type { PastAnswers } from '../../history-model.ts'
import { KernelFits } from '../kernel-fits.ts'
import { someOf } from '../some-of.ts'
import { oneWayTables, rangesOf, spreadOut } from './one-way.ts'
import type { PriorTables } from './prior.ts'

/** Single attributes are learned from so many answers, and so often: the first time from all codes alike. */
const [mostAnswers, rounds] = [750, 2]
/** They are drawn from so many. */
const mostLookedAt = 20_000

/**
 * What the history tells of single attributes: from released tables where they have the attribute, for others that somebody asked about
 * from the kernel estimate itself, begun with all codes alike.
 */
export function learnedPrior(past: PastAnswers, random: () => number): PriorTables {
  const { universe, measurements } = past
  const told = oneWayTables(past, random)
  const asked = new Set(measurements.flatMap(({ query }) => attributesOf(query, universe)))
  const isOpen = universe.attributes.map(({ name, size }, place) => size > 1 && !told[place] && asked.has(name))
  if (!isOpen.includes(true)) return told
  const drawn = <T>(all: readonly T[]): readonly T[] => someOf(all.length, mostAnswers, random).map((i) => all[i]!)
  const some = mostTelling(past, mostLookedAt)
  let prior = told
  for (let round = 0; round < rounds; round++) {
    const model = new KernelFits(some, prior, { choose: drawn }).validated(random)
    prior = universe.attributes.map(({ name, size }, place) =>
      isOpen[place]
        ? spreadOut(size, model.estimates(byRanges(name, size)), Number(model.parameters.records))
        : told[place],
    )
  }
  return prior
}

/** One count per range of an attribute. */
const byRanges = (attribute: string, size: number): LinearQuery => ({
  by: [{ attribute, groups: rangesOf(size).map(([from, to]) => ({ kind: 'interval', from, to })) }],
  terms: [{ coefficient: 1, factors: {} }],
  step: one,
})
