import { add, divide, multiply, type Rational, rational } from '../../numeric/index.ts'
import type { LinearQuery, NoiseLaw } from '../../query/index.ts'
import { shareOut } from '../marginals/share.ts'
import type { Draw } from '../meter.ts'
import type { SynthBudget, SynthTerms } from './method.ts'

/** Noise that a run sells. */
export type RunLaw = Exclude<NoiseLaw, { kind: 'none' }>

/** How much it is, of ε or of ρ. */
export const amountOf = (budget: SynthBudget): Rational => budget.rho ?? budget.epsilon

/** Another amount of the same currency. */
export const ofSameCurrency = ({ rho }: SynthBudget, amount: Rational): SynthBudget =>
  rho ? { rho: amount } : { epsilon: amount }

/** Two amounts of the same currency together. */
export const sumOf = (a: SynthBudget, b: SynthBudget): SynthBudget => ofSameCurrency(a, add(amountOf(a), amountOf(b)))

/** Divided in proportion to the weights; the parts add up to it. */
export const partsOf = (budget: SynthBudget, weights: readonly number[]): SynthBudget[] =>
  shareOut(amountOf(budget), weights).map((part) => ofSameCurrency(budget, part))

/** The noise at which a query costs just this: Laplace's under ε, Gaussian under ρ. */
export function lawFor(query: LinearQuery, price: SynthBudget, { unitNoise }: Pick<SynthTerms, 'unitNoise'>): RunLaw {
  const noise = divide(unitNoise(query), amountOf(price))
  return price.rho ? { kind: 'gaussian', variance: noise } : { kind: 'laplace', scale: noise }
}

/** The noise at which a score of this sensitivity costs exactly this: moved/scale of ε, or moved²/(2·variance) of ρ. */
export function lawForScore(moved: bigint, price: SynthBudget): RunLaw {
  const [by, amount] = [rational(moved), amountOf(price)]
  return price.rho
    ? { kind: 'gaussian', variance: divide(multiply(by, by), multiply(rational(2), amount)) }
    : { kind: 'laplace', scale: divide(by, amount) }
}

/** A query of a run with noise of this law. */
export const drawOf = (query: number, law: RunLaw): Draw =>
  law.kind === 'laplace' ? { query, scale: law.scale } : { query, variance: law.variance }
