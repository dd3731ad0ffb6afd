import { divide, type Rational, rational, toNumber } from '../../numeric/index.ts'
import type { LinearQuery, NoiseLaw, Statement } from '../../query/index.ts'
import {
  type AnswerCharge,
  capUnits,
  isPublic,
  measurementCharge,
  type Spending,
  scaleFor,
  unitsToRational,
  varianceFor,
} from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { priceOf } from './cost.ts'
import { buysNothing, heldFor } from './held-for.ts'

/** One linear query of a statement, and what it will be bought for. */
export interface PricedPart {
  readonly query: LinearQuery
  readonly law: NoiseLaw
  readonly price: Spending
}

/** Splits the price equally over the parts that cost anything; the rest are public and free. */
export function priceParts(statement: Pick<Statement, 'parts'>, epsilon: Rational, book: Book): PricedPart[] {
  const terms = { universe: book.universe, privacy: book.terms }
  const costly = statement.parts.filter((query) => !isPublic(query, terms))
  const noise = book.cap.rho === null ? laplaceNoise : gaussianNoise
  const law = noise(epsilon, Math.max(1, costly.length), book)
  return statement.parts.map((query) => {
    const noisy = { query, law: costly.includes(query) ? law(query) : ({ kind: 'none' } as const) }
    return { ...noisy, price: priceOf(measurementCharge(noisy), book) }
  })
}

/** The noise that a query gets for its share. */
type Noise = (epsilon: Rational, shares: number, book: Book) => (query: LinearQuery) => NoiseLaw

const laplaceNoise: Noise = (epsilon, shares, { universe, terms: privacy }) => {
  const share = shareOf(epsilon, shares)
  return (query) => ({ kind: 'laplace', scale: scaleFor(query, share, { universe, privacy }) })
}

/** Whole units, where there are any: prices are rounded up, and three thirds must not cost more than the whole. */
function shareOf(epsilon: Rational, shares: number): Rational {
  const exact = divide(epsilon, rational(shares))
  const units = capUnits(exact)
  return shares > 1 && units > 0 ? unitsToRational(units) : exact
}

/** With δ > 0: all shares together are (ε, δ)-private by themselves. */
const gaussianNoise: Noise = (epsilon, shares, book) => {
  const { universe, terms: privacy } = book
  const units = Math.floor(capUnits(heldFor(epsilon, book).rho!) / shares)
  if (units === 0) throw buysNothing(epsilon, privacy.delta)
  const share = unitsToRational(units)
  return (query) => ({ kind: 'gaussian', variance: varianceFor(query, share, { universe, privacy }) })
}

/** The scale of a charge's noise in the data's own units: Laplace's b, Gauss's σ; 0 for what is public. */
export function scaleOf({ query, law }: Pick<AnswerCharge, 'query' | 'law'>): number {
  const step = toNumber(query.step)
  if (law.kind === 'laplace') return toNumber(law.scale) * step
  return law.kind === 'gaussian' ? Math.sqrt(toNumber(law.variance)) * step : 0
}
