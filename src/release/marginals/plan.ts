import {
  add,
  compare,
  divide,
  laplaceScale,
  laplaceVariance,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
  zero,
} from '../../numeric/index.ts'
import { answerSize, countAll, type LinearQuery } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import { expectedDeviation } from './deviation.ts'
import { checkRequest, type Job, jobFor, needsRecords } from './job.ts'
import { refuseStart } from './methods/start.ts'
import { UrgencyHeap } from './reduce/heap.ts'
import { bestShare, meanReciprocal } from './relative.ts'
import type { MarginalsContext, MarginalsRequest, Method } from './request.ts'
import { equalScale, priceOf, wholeUnits } from './share.ts'

/** What the table may look like: from the history, or from nowhere. */
export interface Guess {
  /** May be missing where the request does not need it. */
  readonly records?: number
  /** The counts of a marginal; where it has none, all cells are taken to be equal, or to be at the floor, the worst there is. */
  readonly counts?: (attributes: readonly string[]) => ArrayLike<number> | undefined
}

export interface PlannedMarginal {
  readonly attributes: readonly string[]
  readonly query: LinearQuery
  readonly cells: number
  /** The scales of its answers, and of what is shown at once, before anything is chosen: a guard says no to all, or not. */
  readonly answers: readonly number[]
  readonly first: number
  /** Of the noise in each cell: that of a Laplace law of the same variance where several answers are combined. */
  readonly scale: number
  readonly epsilon: number
  /** The mean relative error to expect in it. */
  readonly error: number
}
export interface MarginalsPlan {
  readonly marginals: readonly PlannedMarginal[]
  readonly records?: number
  readonly floor: number
  /** What the number of records costs, and its scale, where it is bought. */
  readonly forRecords?: { readonly epsilon: number; readonly scale: number }
  /** The overall error to expect (Definition 6), of the measured values; and that of a table of zeros, at no cost. */
  readonly error: number
  readonly errorOfZeros: number
}

/**
 * What a release would come to if the table were as guessed and noise told no method otherwise: its scales, what each
 * marginal costs, and the error to expect. Nothing is spent. Where counts are small against the noise, the methods that
 * look at noisy counts do worse than this (docs/algorithms/ireduct.md).
 */
export function planScales(
  request: MarginalsRequest,
  guess: Guess,
  context: Pick<MarginalsContext, 'universe' | 'unitScale'>,
): MarginalsPlan {
  checkRequest(request, context)
  const { records, epsilon } = request
  const known = records.kind === 'known' ? records.count : guess.records
  if (known === undefined && needsRecords(request)) throw unknownSize()
  const price = records.kind === 'bought' ? wholeUnits(multiply(epsilon, records.share)) : zero
  const job = jobFor(request, { records: known, epsilon: subtract(epsilon, price) }, context)
  const counts = job.queries.map((query, j) => {
    const cells = answerSize(query, context.universe)
    const guessed = guess.counts?.(job.marginals[j]!)
    // Estimates may be negative; counts are not.
    return guessed
      ? Float64Array.from(guessed, (count) => Math.max(0, count))
      : new Float64Array(cells).fill(job.records === undefined ? job.floor : job.records / cells)
  })
  const reciprocals = counts.map((table) => meanReciprocal(table, job.floor))
  const planned = scales[request.method](job, reciprocals)
  const marginals = job.queries.map((query, j) => ({
    attributes: job.marginals[j]!,
    query,
    cells: counts[j]!.length,
    answers: planned[j]!,
    first: request.method === 'ireduct' ? toNumber(job.start) : planned[j]![0]!,
    scale: combinedScale(planned[j]!),
    epsilon: planned[j]!.reduce((sum, scale) => sum + toNumber(job.unitScales[j]!) / scale, 0),
    error: expectedDeviation(planned[j]!) * reciprocals[j]!,
  }))
  return {
    marginals,
    ...(job.records !== undefined && { records: job.records }),
    ...(price.num > 0n && {
      forRecords: { epsilon: toNumber(price), scale: toNumber(divide(context.unitScale(countAll), price)) },
    }),
    floor: job.floor,
    error: mean(marginals.map(({ error }) => error)),
    errorOfZeros: mean(counts.map((table) => mean(table.map((count) => count / Math.max(job.floor, count))))),
  }
}

/** The scales of each marginal's answers, one or several. */
const scales: { readonly [M in Method]: (job: Job, reciprocals: readonly number[]) => number[][] } = {
  laplace: ({ unitScales, epsilon }) => {
    const scale = toNumber(equalScale(unitScales, epsilon))
    return unitScales.map(() => [scale])
  },
  'two-phase': ({ unitScales, epsilon, firstShare }, reciprocals) => {
    const first = equalScale(unitScales, multiply(epsilon, firstShare))
    const left = subtract(epsilon, unitScales.map((unit) => priceOf(unit, first)).reduce(add, zero))
    return bestScales(unitScales, reciprocals, left).map((second) => [toNumber(first), second])
  },
  ireduct: (job, reciprocals) => {
    refuseStart(job)
    return bestScales(job.unitScales, reciprocals, job.epsilon, job.start).map((scale) => [scale])
  },
  iresamp: (job, reciprocals) => {
    refuseStart(job)
    return halved(job, reciprocals)
  },
}

/** Oracle's scales for these counts, none above a largest one. */
function bestScales(
  units: readonly Rational[],
  reciprocals: readonly number[],
  epsilon: Rational,
  most?: Rational,
): number[] {
  const [ones, all] = [units.map(toNumber), toNumber(epsilon)]
  const least = ones.map((unit) => (most ? unit / toNumber(most) : 0))
  const shares = ones.map((unit, j) => bestShare(unit, reciprocals[j]!))
  const prices = (factor: number) => shares.map((share, j) => Math.max(least[j]!, factor * share))
  // The cost rises with the factor, and is above ε where even the others' prices are those of the shares.
  let [low, high] = [0, all / sum(shares)]
  for (let i = 0; i < 60 && most; i++) {
    const middle = (low + high) / 2
    if (sum(prices(middle)) <= all) low = middle
    else high = middle
  }
  return prices(high).map((price, j) => ones[j]! / price)
}

/** iResamp's scales, were the counts what they are guessed to be. */
function halved({ unitScales, epsilon, start }: Job, reciprocals: readonly number[]): number[][] {
  const lists = unitScales.map(() => [start])
  let left = lists.reduce((rest, _, j) => subtract(rest, priceOf(unitScales[j]!, start)), epsilon)
  const urgency = (j: number) => (reciprocals[j]! * toNumber(lists[j]!.at(-1)!) ** 2) / toNumber(unitScales[j]!)
  const working = new UrgencyHeap(Float64Array.from(lists, (_, j) => urgency(j)))
  while (working.size > 0) {
    const query = working.top
    const scale = divide(lists[query]!.at(-1)!, rational(2))
    const price = priceOf(unitScales[query]!, scale)
    if (compare(price, left) <= 0) {
      lists[query]!.push(scale)
      left = subtract(left, price)
      working.change(urgency(query))
    } else working.drop()
  }
  return lists.map((list) => list.map(toNumber))
}

const combinedScale = (list: readonly number[]): number =>
  list.length === 1 ? list[0]! : laplaceScale(1 / sum(list.map((scale) => 1 / laplaceVariance(scale))))

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
const mean = (values: ArrayLike<number>): number => {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]!
  return total / values.length
}
const unknownSize = () =>
  new ReticentError(
    'usage',
    {},
    {
      message: 'how many records there are is neither public nor known yet, and a plan depends on it',
      hint: 'Say about how many: --records 100000. The release itself buys the number with a share of its ε.',
    },
  )
