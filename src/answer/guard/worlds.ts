import { Cells, openShare, PriorHistory } from '../../inference/index.ts'
import { toNumber } from '../../numeric/index.ts'
import { factorAt, type LinearQuery } from '../../query/index.ts'
import { type Attribute, nullCode, otherCode, type Universe } from '../../schema/index.ts'
import type { GuardedQuery } from './guard-query.ts'

/**
 * The worlds: what an observer may know before anything is sold. In one, only that a count is finite; in the other, as in
 * many tables, also that no value is missing or unlisted. A condition such as IS NOT NULL changes a question in the first world only.
 */
export function worldsOf(
  guards: readonly GuardedQuery[],
  universe: Universe,
  known: { readonly publicCount: boolean },
): PriorHistory[][] {
  const made = new Map<string, Cells>()
  const cellsOf = (sizes: readonly number[]): Cells => {
    const cells = made.get(sizes.join()) ?? new Cells(universe, sizes)
    made.set(sizes.join(), cells)
    return cells
  }
  const all = universe.attributes.map(({ size }) => size)
  const worlds = guards.map(({ query }) => {
    const complete = universe.attributes.map((attribute) => valuesUsed(query, attribute))
    const isOpen = openShare(cellsOf(complete).question(query), known) > 0
    return isOpen && complete.join() !== all.join() ? [all, complete] : [all]
  })
  const mostScalars = Math.min(most, Math.floor(Math.sqrt(memory / worlds.flat().length)))
  return worlds.map((sizes, i) => {
    const { query } = guards[i]!
    const prior = { deviation: priorDeviation(guards[i]!), mostScalars, ...known }
    return sizes.map((each) => new PriorHistory(cellsOf(each), cellsOf(each).question(query), prior))
  })
}

/** As many scalar answers as a history combines, or fewer, so that all factors together have half so many doubles. */
const most = 5000
const memory = 2 ** 27

/** How many codes of an attribute are left without NULL and `other`, where the query does not ask for them. */
function valuesUsed(query: LinearQuery, attribute: Attribute): number {
  const isMentioned = query.terms.some(({ factors }) => factors[attribute.name])
  const counts = (code: number) =>
    isMentioned &&
    query.terms.some(({ factors: { [attribute.name]: factor } }) => !factor || factorAt(factor, code) !== 0)
  let size = attribute.size
  for (const code of [nullCode(attribute), otherCode(attribute)]) if (code === size - 1 && !counts(code)) size--
  return size
}

/**
 * The prior standard deviation of what is guarded: such a multiple of the guard's half-width that the prior alone has at most
 * half of the guard's confidence. The chance of an interval of half-width w is at
 * most 2w/√(2π) over the deviation.
 */
export const priorDeviation = ({ query, within, confidence }: GuardedQuery): number =>
  Math.max(4, 4 / (confidence * Math.sqrt(2 * Math.PI))) * (within + toNumber(query.step) / 2)
