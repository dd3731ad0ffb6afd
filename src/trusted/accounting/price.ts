import { compare, divide, multiply, one, type Rational, rational, subtract } from '../../numeric/index.ts'
import type { LinearQuery, NoiseLaw } from '../../query/index.ts'
import { type Privacy, ReticentError, type Universe } from '../../schema/index.ts'
import type { AnswerCharge, Charge, ChargeOf } from './charge.ts'
import { range, rangeSquared, sensitivity } from './sensitivity.ts'
import type { Spending } from './spending.ts'
import { chargeUnits, type Units } from './units.ts'

/** ε, or the ρ of zero-concentrated differential privacy. Why both: docs/algorithms/two-currencies.md */
type Currency = 'epsilon' | 'rho'

/** What a price depends on besides the charge: the cells there are, and whom the policy protects against what. */
export interface Terms {
  readonly universe: Universe
  readonly privacy: Pick<Privacy, 'unit' | 'neighbours'>
  /** ε unless said otherwise. */
  readonly currency?: Currency
}

const invalid = (message: string) => new ReticentError('scale-invalid', {}, { message })

/** The rows that one protected unit may have. */
export const rowsOf = (terms: Terms): number => (terms.privacy.unit.kind === 'row' ? 1 : terms.privacy.unit.rows)

/**
 * What one protected unit can move the answer by: in steps in L1 for ε, in steps² in L2, squared, for ρ. A person of up to k
 * rows may be replaced by one with another number of rows, so there ranges say nothing: it counts as one removed and one
 * added.
 */
function movement(query: LinearQuery, { universe, privacy, currency }: Terms): bigint {
  const rows = privacy.unit.kind === 'row' ? 1n : BigInt(privacy.unit.rows)
  const squared = currency === 'rho'
  const power = (steps: bigint) => (squared ? steps * steps : steps)
  const once = () => BigInt(sensitivity(query, universe))
  if (privacy.neighbours === 'add-remove') return power(rows * once())
  if (rows > 1n) return power(2n * rows * once())
  return squared ? rangeSquared(query, universe) : BigInt(range(query, universe))
}

/**
 * The most that one protected unit moves the distance Σ|answer - model| to whatever public model, in steps: what it moves
 * the answers by in L1, since |‖x - m‖ - ‖x' - m‖| ≤ ‖x - x'‖.
 */
export const distanceSensitivity = (query: LinearQuery, terms: Terms): bigint =>
  movement(query, { ...terms, currency: 'epsilon' })

type Of<K extends NoiseLaw['kind']> = Extract<NoiseLaw, { kind: K }>
type Rates = { [K in NoiseLaw['kind']]: (law: Of<K>) => Rational | undefined }

const positive = (value: Rational, what: string): Rational => {
  if (value.num <= 0n) throw invalid(`a noise ${what} must be above 0`)
  return value
}
const scaleOf = (law: Of<'laplace'>) => positive(law.scale, 'scale')
const varianceOf = (law: Of<'gaussian'>) => positive(law.variance, 'variance')
const half = rational(1, 2)

/** What a weight costs by law: ε per step, ρ per step². undefined where no finite price holds. */
const rates: { [C in Currency]: Rates } = {
  epsilon: {
    laplace: (law) => divide(one, scaleOf(law)),
    gaussian: (law) => void varianceOf(law),
    none: () => undefined,
  },
  rho: {
    laplace: (law) => divide(half, multiply(scaleOf(law), scaleOf(law))),
    gaussian: (law) => divide(half, varianceOf(law)),
    none: () => undefined,
  },
}
const lawRate = (law: NoiseLaw, currency: Currency): Rational | undefined =>
  (rates[currency][law.kind] as (law: NoiseLaw) => Rational | undefined)(law)

/**
 * What a charge costs per step of weight in ε, per step² in ρ; undefined: infinitely much. In ε a refinement pays the
 * difference; in ρ it earns no credit, since whether to refine may have depended on the answer.
 */
export function rateOf(charge: AnswerCharge, currency: Currency = 'epsilon'): Rational | undefined {
  const rate = lawRate(charge.law, currency)
  if (charge.kind === 'measurement' || !rate || currency === 'rho') return rate
  const already = lawRate(charge.paid, currency)
  if (!already || compare(already, rate) >= 0) throw invalid('a refinement must have less noise than what it refines')
  return subtract(rate, already)
}

/** Whether the answer is public, the same for all tables that may be neighbours: it needs no noise and costs nothing. */
export const isPublic = (query: LinearQuery, terms: Terms): boolean =>
  terms.privacy.neighbours === 'replace-one' && movement(query, terms) === 0n

/** The charge's own cost, as if it were the only one: rounded up to units, never too small. */
export const price = (charge: Charge, terms: Terms): Units =>
  (prices[charge.kind] as (charge: Charge, terms: Terms) => Units)(charge, terms)

/** A charge's price in both currencies. */
export const priceInBoth = (charge: Charge, { universe, privacy }: Omit<Terms, 'currency'>): Spending => ({
  epsilon: price(charge, { universe, privacy }),
  rho: price(charge, { universe, privacy, currency: 'rho' }),
})

/**
 * A selection's weights exp(rate · score) move by exp(± rate · Δ), and so does their sum: ε = 2·rate·Δ. Its loss ranges
 * over no more than that ε, which is ε²/8 in ρ: docs/algorithms/exponential-mechanism.md. Both it and a score are
 * calibrated to the policy's own relation and unit.
 */
const prices: { [K in Charge['kind']]: (charge: ChargeOf<K>, terms: Terms) => Units } = {
  measurement: answerPrice,
  refinement: answerPrice,
  selection: ({ rate, sensitivity }, { currency }) => {
    if (rate.num <= 0n) throw invalid('a selection needs a rate above 0')
    const epsilon = multiply(rational(2n * sensitivity), rate)
    return chargeUnits(currency === 'rho' ? multiply(rational(1, 8), multiply(epsilon, epsilon)) : epsilon)
  },
  score: ({ law, sensitivity }, { currency = 'epsilon' }) =>
    cost(lawRate(law, currency), currency === 'rho' ? sensitivity * sensitivity : sensitivity),
}

const cost = (rate: Rational | undefined, moved: bigint): Units => {
  if (moved === 0n) return 0
  return rate ? chargeUnits(rate, moved) : Number.POSITIVE_INFINITY
}

/** An answer without noise is possible, and free, only where it is public. */
function answerPrice(charge: AnswerCharge, terms: Terms): Units {
  const rate = rateOf(charge, terms.currency)
  if (charge.law.kind === 'none' && !isPublic(charge.query, terms)) {
    throw invalid('an answer without noise must be the same for all tables with the same number of records')
  }
  return cost(rate, movement(charge.query, terms))
}

/**
 * The scale of Laplace noise, in steps, at which the query costs ε: its price is chargeUnits(ε), not a unit more. A
 * query that nobody can move costs nothing at any scale; it gets scale 1.
 */
export const scaleFor = (query: LinearQuery, epsilon: Rational, terms: Terms): Rational =>
  noiseFor(movement(query, { ...terms, currency: 'epsilon' }), epsilon)

/** The variance of Gaussian noise, in steps², at which the query costs ρ; the same otherwise. */
export const varianceFor = (query: LinearQuery, rho: Rational, terms: Terms): Rational =>
  noiseFor(movement(query, { ...terms, currency: 'rho' }), multiply(rational(2), rho))

/** The noise at which what moves by so much costs this much. */
export function noiseFor(moved: bigint, cost: Rational): Rational {
  if (cost.num <= 0n) throw invalid('a privacy cost must be above 0')
  return moved === 0n ? one : divide(rational(moved), cost)
}
