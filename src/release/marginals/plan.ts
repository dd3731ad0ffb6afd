import { fromNumber, mean, toNumber } from '../../numeric/index.ts'
import { answerSize, countAll, type LinearQuery, type NoiseLaw } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import type { Purchase } from '../meter.ts'
import { errorOfZeros } from './consistency/error.ts'
import { type MarginalsRequest, methodOf, needsRecords } from './methods/index.ts'
import { combinedScale, combinedVariance } from './noise.ts'
import { meanReciprocal } from './oracle.ts'
import type { MarginalsContext } from './request.ts'
import { checkRequest, priceOfRecords, type SettledRequest, settledFor } from './settled-request.ts'

/** A guess of the table, from the history if possible. */
interface Guess {
  /** May be missing where the request does not need it. */
  readonly records?: number
  /** The counts of a marginal; without them, all cells are assumed to be equal or, as the worst case, at the floor. */
  readonly counts?: (attributes: readonly string[]) => ArrayLike<number> | undefined
}

export interface PlannedMarginal {
  readonly attributes: readonly string[]
  readonly query: LinearQuery
  readonly cells: number
  /** The laws of its answers, and of what is shown at once, before anything is chosen. */
  readonly answers: readonly NoiseLaw[]
  readonly first: NoiseLaw
  /** Of the noise in each cell, Laplace's b or Gauss's σ: of a law of the same variance where several answers are combined. */
  readonly scale: number
  /** Of the noise in each cell: its standard deviation. */
  readonly deviation: number
  /** In what is held. */
  readonly price: number
  /** The mean relative error to expect in it. */
  readonly error: number
}
interface MarginalsPlan {
  readonly marginals: readonly PlannedMarginal[]
  readonly records?: number
  readonly floor: number
  /** What the number of records costs, and its scale, where it is bought. */
  readonly forRecords?: { readonly price: number; readonly scale: number }
  /** The overall error to expect (Definition 6), of the measured values; and that of a table of zeros, at no cost. */
  readonly error: number
  readonly errorOfZeros: number
}

/**
 * The outcome of a release if the tables were as guessed and no method was misled by noise: its scales, what each
 * marginal costs, and the expected error. Nothing is spent. If counts are small compared with the noise, methods that
 * look at noisy counts do worse than this (docs/algorithms/ireduct.md).
 */
export function planScales(
  request: MarginalsRequest,
  guess: Guess,
  context: Pick<MarginalsContext, 'universe' | 'unitNoise'>,
): MarginalsPlan {
  const { settled, bought } = settledAsGuessed(request, guess.records, context)
  const { floor, records, unitNoises, noise } = settled
  const method = methodOf(request)
  const counts = settled.queries.map((query, j) =>
    guessedCounts(answerSize(query, context.universe), guess.counts?.(settled.marginals[j]!), settled),
  )
  const reciprocals = counts.map((table) => meanReciprocal(table, floor))
  const [first, planned] = [method.firstLook(settled), method.plan(settled, reciprocals)]
  const marginals = settled.queries.map((query, j) => {
    const noises = planned[j]!
    return {
      attributes: settled.marginals[j]!,
      query,
      cells: counts[j]!.length,
      answers: noises.map((each) => noise.law(fromNumber(each))),
      first: noise.law(first[j]!),
      scale: combinedScale(noise, noises),
      deviation: Math.sqrt(combinedVariance(noise, noises)),
      price: noises.reduce((sum, each) => sum + toNumber(unitNoises[j]!) / each, 0),
      error: noise.deviation(noises) * reciprocals[j]!,
    }
  })
  return {
    marginals,
    ...(records !== undefined && { records }),
    ...(bought && { forRecords: { price: toNumber(bought.price), scale: bought.scale } }),
    floor,
    error: mean(marginals.map(({ error }) => error)),
    errorOfZeros: mean(counts.map((table) => errorOfZeros(table, floor))),
  }
}

/** The first purchases of a release that there were so many records for, before it chooses anything. Nothing is spent. */
export function firstLook(
  request: MarginalsRequest,
  records: number,
  context: Pick<MarginalsContext, 'universe' | 'unitNoise'>,
): Purchase[] {
  const { settled, bought } = settledAsGuessed(request, records, context)
  const noises = methodOf(request).firstLook(settled)
  const tables = settled.queries.map((query, j) => ({ query, law: settled.noise.law(noises[j]!) }))
  return bought ? [{ query: countAll, law: bought.law }, ...tables] : tables
}

function settledAsGuessed(
  request: MarginalsRequest,
  guessed: number | undefined,
  context: Pick<MarginalsContext, 'universe' | 'unitNoise'>,
) {
  checkRequest(request, needsRecords(request), context)
  const count = request.records.kind === 'known' ? request.records.count : guessed
  if (count === undefined && needsRecords(request)) throw unknownSize()
  const bought = priceOfRecords(request, context)
  return { settled: settledFor(request, { count, bought }, context), bought }
}

/** Estimates may be negative; counts are not. Where nothing is known, all cells are equal or, at worst, at the floor. */
function guessedCounts(
  cells: number,
  guessed: ArrayLike<number> | undefined,
  { records, floor }: SettledRequest,
): Float64Array {
  if (guessed) return Float64Array.from(guessed, (count) => Math.max(0, count))
  return new Float64Array(cells).fill(records === undefined ? floor : records / cells)
}

const unknownSize = () =>
  problem(
    'usage',
    'the number of records is neither public nor known yet, and the plan depends on it',
    'Say about how many: --records 100000. The release itself buys the number with a share of its ε.',
  )
