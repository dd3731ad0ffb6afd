import {
  add,
  compare,
  divide,
  fromNumber,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
  zero,
} from '../../numeric/index.ts'
import { countAll, type LinearQuery, marginal } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import type { Bought } from '../meter.ts'
import { usualStep } from './grid.ts'
import type { MarginalsContext, MarginalsRequest } from './request.ts'
import { checkMarginals } from './selection.ts'
import { priceOf, wholeUnits } from './share.ts'

/** What a method works on: a request that was checked, with the number of records settled. */
export interface Job {
  readonly marginals: readonly (readonly string[])[]
  readonly queries: readonly LinearQuery[]
  /** The scale at which each by itself costs ε = 1. */
  readonly unitScales: readonly Rational[]
  /** For the method. */
  readonly epsilon: Rational
  /** A whole number from 1 on; undefined where nothing asks for it. */
  readonly records?: number
  /** The scale of the noise in it, where it was bought just now. */
  readonly recordsScale?: number
  /** The share of the whole ε that is not for the method, as the number of records is bought with it. */
  readonly recordsShare: Rational
  /** δ. */
  readonly floor: number
  /** Whether noisy counts are taken at their word. */
  readonly asPrinted: boolean
  readonly firstShare: Rational
  /** λmax and λΔ, of methods that need the number of records. */
  readonly start: Rational
  readonly step: Rational
}

/** Whether anything depends on the number of records: λmax and λΔ do, and a floor that is a share of it. */
export const needsRecords = ({ method, floor }: Pick<MarginalsRequest, 'method' | 'floor'>): boolean =>
  method === 'ireduct' || method === 'iresamp' || floor.kind === 'share'

/** Refuses, before anything is spent, what no number of records could make right. */
export function checkRequest(request: MarginalsRequest, { universe }: Pick<MarginalsContext, 'universe'>): void {
  const { epsilon, floor, records, firstShare, startShare, stepShare } = request
  checkMarginals(request.marginals, universe)
  if (compare(epsilon, zero) <= 0) throw usage('ε must be above 0')
  const delta = floor.kind === 'count' ? floor.count : floor.share
  if (!(Number.isFinite(delta) && delta > 0))
    throw usage('the floor must be above 0', 'Counts below it are judged as if they were so large; 0.0001n is usual.')
  if (records.kind === 'known' && !Number.isFinite(records.count)) throw usage('the number of records must be finite')
  if (records.kind === 'unneeded' && needsRecords(request)) throw usage('this needs the number of records')
  const shares = [records.kind === 'bought' ? records.share : undefined, firstShare, startShare, stepShare]
  for (const share of shares)
    if (share && (compare(share, zero) <= 0 || compare(share, rational(1)) >= 0))
      throw usage('a share must be between 0 and 1')
}

/** The job for a number of records. */
export function jobFor(
  request: MarginalsRequest,
  given: { readonly records: number | undefined; readonly epsilon: Rational; readonly recordsScale?: number },
  { unitScale }: Pick<MarginalsContext, 'unitScale'>,
): Job {
  const { marginals, floor } = request
  // Noise can make a bought number 0 or negative; a table of which no part is a record needs no release.
  const records = given.records === undefined ? undefined : Math.max(1, Math.round(given.records))
  const queries = marginals.map(marginal)
  const oneWay = marginals.every((attributes) => attributes.length === 1)
  const exact = fromNumber(records ?? 1)
  const prices = { unitScales: queries.map(unitScale), epsilon: given.epsilon }
  return {
    ...prices,
    marginals,
    queries,
    ...(records !== undefined && { records }),
    ...(given.recordsScale !== undefined && { recordsScale: given.recordsScale }),
    recordsShare: request.records.kind === 'bought' ? request.records.share : zero,
    floor: floor.kind === 'count' ? floor.count : floor.share * records!,
    asPrinted: request.asPrinted ?? false,
    firstShare: request.firstShare ?? (oneWay ? rational(7, 100) : rational(25, 1000)),
    start: multiply(exact, request.startShare ?? rational(1, 10)),
    step: request.stepShare ? multiply(exact, request.stepShare) : usualStep(exact, prices),
  }
}

/**
 * The job, and what the number of records cost where it was bought: first, so that the rest of ε can be reckoned with
 * it.
 */
export async function openJob<Receipt extends Bought>(
  request: MarginalsRequest,
  context: MarginalsContext<Receipt>,
): Promise<{ job: Job; receipts: Receipt[] }> {
  checkRequest(request, context)
  const { records, epsilon } = request
  if (records.kind !== 'bought') {
    const count = records.kind === 'known' ? records.count : undefined
    return { job: jobFor(request, { records: count, epsilon }, context), receipts: [] }
  }
  const price = wholeUnits(multiply(epsilon, records.share))
  const scale = divide(context.unitScale(countAll), price)
  const receipt = await context.meter.measure([{ query: countAll, law: { kind: 'laplace', scale } }])
  const count = Number(receipt.measurements[0]!.values[0])
  const left = subtract(epsilon, price)
  const job = jobFor(request, { records: count, epsilon: left, recordsScale: toNumber(scale) }, context)
  return { job, receipts: [receipt] }
}

/** What all of them cost at one scale, as it is charged: the generalized sensitivity GS(Q, Λ) of §3. */
export const costAt = (scale: Rational, unitScales: readonly Rational[]): Rational =>
  unitScales.map((unit) => priceOf(unit, scale)).reduce(add, zero)

const usage = (message: string, hint?: string) => new ReticentError('usage', {}, { message, hint })
