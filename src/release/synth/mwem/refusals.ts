import { holdsQuery, isDense, refuseTooLarge } from '../../../model/index.ts'
import { compare, one, toNumber, zero } from '../../../numeric/index.ts'
import { isInNoiseRange } from '../../../query/index.ts'
import { problem, type Universe, usage } from '../../../schema/index.ts'
import { amountOf } from '../budget.ts'
import type { SynthBudget } from '../method.ts'
import { queryName } from '../workload/name.ts'
import type { Candidates } from './candidates.ts'
import { modelFor } from './model-for.ts'
import { choiceEpsilon, equalPrices } from './prices.ts'
import type { MwemRequest } from './request.ts'
import { currencyOf } from './rounds.ts'

/** A smooth fit visits every cell some hundred times, round after round. */
const mostSmoothCells = 2n ** 17n

/** Refuses what makes no sense or has no room in the model. */
export function refuseImpossible(request: MwemRequest, candidates: Candidates, universe: Universe): void {
  const { queries, rounds, startShare } = request
  if (queries.length === 0)
    throw usage('the workload has no query that a model could learn from', 'For example "2-way".')
  if (typeof rounds === 'number' && !(Number.isInteger(rounds) && rounds >= 1))
    throw usage('the number of rounds must be a whole number above 0')
  if (startShare && (startShare.num < 0n || compare(startShare, one) > 0))
    throw usage('the share for the start must be from 0 to 1')
  const needsCells = (startShare && startShare.num > 0n) || request.output === 'average'
  if (needsCells && !request.model) refuseTooLarge(universe)
  if (request.fitting === 'smooth' && universe.size > mostSmoothCells)
    throw usage(`a smooth fit needs a table of at most ${mostSmoothCells} cells`, 'Fit once, or by replay.')
  const canHold = roomFor(request, universe)
  const { attributesOf } = candidates.sheet
  const set: number[] = []
  let place = 0
  while (place < queries.length && canHold(attributesOf(place, set))) place++
  if (place === queries.length) return
  const query = queryName(queries.at(place)!, universe)
  throw problem(
    'not-supported',
    `the model has no room for ${query}`,
    'Ask for fewer ways, coarser attributes, or another model.',
    { query },
  )
}

/** What an empty model has room for. */
function roomFor(request: MwemRequest, universe: Universe): (attributes: readonly number[]) => boolean {
  if (!request.model && isDense(universe)) return (attributes) => holdsQuery(universe, attributes)
  const empty = modelFor(request, universe, undefined)(universe, 1)
  return (attributes) => empty.canHold(attributes)
}

/**
 * Refuses a budget whose noise, were all of it spent in a single round, is above the number of records: nothing could
 * be told from it. Where that number is not known, only what cannot be drawn at all is refused.
 */
export function refuseTooLittle(budget: SynthBudget, candidates: Candidates, records: number | undefined): void {
  const currency = currencyOf(budget)
  const price = equalPrices(amountOf(budget), 1).next(false)!
  const noises = candidates.costs.all(price.answer, currency)
  const least = noises.reduce((best, { variance }) => Math.min(best, Math.sqrt(variance)), Infinity)
  const isDrawable = noises.every(({ law }) => isInNoiseRange(law))
  const canChoose = compare(choiceEpsilon(price.choice, currency), zero) > 0
  if (isDrawable && canChoose && !(records !== undefined && least > records)) return
  const times = records ? least / records : undefined
  const enough = times && toNumber(amountOf(budget)) * (currency === 'rho' ? times ** 2 : times)
  throw problem(
    'usage',
    `the budget is too small for one round: its noise would have a standard deviation of ${least.toPrecision(3)}`,
    enough ? `There are about ${Math.round(records!)} records: ${enoughText(enough, times, currency)}.` : 'Give more.',
    { ...(enough && { enough }) },
  )
}

/** Who pays in ρ says an ε, and which one comes to it depends on δ. */
const enoughText = (enough: number, times: number, currency: 'epsilon' | 'rho'): string =>
  currency === 'rho'
    ? `spend about ${times.toPrecision(2)} times as much`
    : `give at least ε = ${enough.toPrecision(2)}`
