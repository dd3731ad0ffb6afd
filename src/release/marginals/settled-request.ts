import { compare, divide, multiply, type Rational, rational, subtract, toNumber, zero } from '../../numeric/index.ts'
import { countAll, type LinearQuery, marginal, type NoiseLaw } from '../../query/index.ts'
import { usage } from '../../schema/index.ts'
import type { Bought } from '../meter.ts'
import { type NoiseKind, noiseOf, priceHeld } from './noise.ts'
import type { Floor, MarginalsContext, Wanted } from './request.ts'
import { checkMarginals } from './selection.ts'
import { wholeUnits } from './share.ts'

/** A request that was checked, with the number of records settled: what a method works on. */
export interface SettledRequest extends Omit<Wanted, 'floor' | 'records' | 'budget'> {
  readonly queries: readonly LinearQuery[]
  readonly noise: NoiseKind
  /** The noise at which each by itself costs 1. */
  readonly unitNoises: readonly Rational[]
  /** For the method: without what the number of records cost. */
  readonly price: Rational
  /** A whole number from 1 on; undefined if nothing asks for it. */
  readonly records?: number
  /** The scale of the noise in it, where it was bought just now. */
  readonly recordsScale?: number
  /** The share of the whole budget that is not for the method, as the number of records is bought with it. */
  readonly recordsShare: Rational
  /** The error of a smaller count is taken relative to this. */
  readonly floor: number
}

/** Refuses, before anything is spent, what no number of records could make right. */
export function checkRequest(wanted: Wanted, needsRecords: boolean, { universe }: Pick<MarginalsContext, 'universe'>) {
  const { budget, floor, records, weights, firstShare, startShare, stepShare } = wanted
  checkMarginals(wanted.marginals, universe)
  if (compare(priceHeld(budget), zero) <= 0) throw usage('ε must be above 0')
  if (weights && weights.length !== wanted.marginals.length)
    throw usage(`there are ${wanted.marginals.length} marginals, and ${weights.length} weights`)
  if (weights?.some((weight) => !(Number.isFinite(weight) && weight > 0))) throw usage('a weight must be above 0')
  const least = floor.kind === 'count' ? floor.count : floor.share
  if (!(Number.isFinite(least) && least > 0))
    throw usage('the floor must be above 0', 'Errors of smaller counts are taken relative to it; 0.0001n is usual.')
  if (records.kind === 'known' && !Number.isFinite(records.count)) throw usage('the number of records must be finite')
  if (records.kind === 'unneeded' && needsRecords) throw usage('this needs the number of records')
  const shares = [records.kind === 'bought' ? records.share : undefined, firstShare, startShare, stepShare]
  for (const share of shares)
    if (share && (compare(share, zero) <= 0 || compare(share, rational(1)) >= 0))
      throw usage('a share must be between 0 and 1')
}

/** What the number of records costs where it is bought, the law of its noise, and the variance and scale of that. */
interface RecordsPrice {
  readonly price: Rational
  readonly law: NoiseLaw
  readonly variance: number
  readonly scale: number
}

export function priceOfRecords(
  { budget, records }: Pick<Wanted, 'budget' | 'records'>,
  { unitNoise }: Pick<MarginalsContext, 'unitNoise'>,
): RecordsPrice | undefined {
  if (records.kind !== 'bought') return undefined
  const kind = noiseOf(budget)
  const price = wholeUnits(multiply(priceHeld(budget), records.share))
  const noise = divide(unitNoise(countAll), price)
  const near = toNumber(noise)
  return { price, law: kind.law(noise), variance: kind.variance(near), scale: kind.scale(near) }
}

/** The request for a number of records; with `bought`, that number has noise, and its price is taken off the budget. */
export function settledFor(
  wanted: Wanted,
  { count, bought }: { readonly count: number | undefined; readonly bought?: RecordsPrice },
  { unitNoise }: Pick<MarginalsContext, 'unitNoise'>,
): SettledRequest {
  const { floor, records: from, budget, ...rest } = wanted
  const whole = priceHeld(budget)
  // Noise can make a bought number 0 or negative; a table of which no part is a record needs no release.
  const records = count === undefined ? undefined : Math.max(1, Math.round(count))
  const queries = wanted.marginals.map(marginal)
  return {
    ...rest,
    queries,
    noise: noiseOf(budget),
    unitNoises: queries.map(unitNoise),
    price: bought ? subtract(whole, bought.price) : whole,
    ...(records !== undefined && { records }),
    recordsShare: from.kind === 'bought' ? from.share : zero,
    floor: floorFor(floor, records),
  }
}

/** A floor that is a count does without the number of records. */
export const floorFor = (floor: Floor, records: number | undefined): number =>
  floor.kind === 'count' ? floor.count : Math.max(floor.least ?? 0, floor.share * records!)

/** Settles a request, buying the number of records where that is neither public nor known but needed. */
export async function settle<Receipt extends Bought>(
  wanted: Wanted,
  needsRecords: boolean,
  context: MarginalsContext<Receipt>,
): Promise<{ settled: SettledRequest; receipts: Receipt[] }> {
  checkRequest(wanted, needsRecords, context)
  const { records } = wanted
  const bought = priceOfRecords(wanted, context)
  if (!bought) {
    const count = records.kind === 'known' ? records.count : undefined
    return { settled: settledFor(wanted, { count }, context), receipts: [] }
  }
  const receipt = await context.meter.measure([{ query: countAll, law: bought.law }])
  const count = Number(receipt.measurements[0]!.values[0])
  const settled = settledFor(wanted, { count, bought }, context)
  return { settled: { ...settled, recordsScale: bought.scale }, receipts: [receipt] }
}
