import { divide, gaussianVariance, laplaceVariance, type Rational, toNumber } from '../../numeric/index.ts'
import type { LinearQuery, NoiseLaw } from '../../query/index.ts'
import type { SynthBudget, SynthTerms } from './method.ts'

/** How much it is, of ε or of ρ. */
export const amountOf = (budget: SynthBudget): Rational => budget.rho ?? budget.epsilon

/** Another amount of the same currency. */
export const ofSameCurrency = ({ rho }: SynthBudget, amount: Rational): SynthBudget =>
  rho ? { rho: amount } : { epsilon: amount }

/** The noise at which a query costs just this: Laplace's under ε, Gaussian under ρ. */
export function lawFor(query: LinearQuery, price: SynthBudget, { unitNoise }: Pick<SynthTerms, 'unitNoise'>): NoiseLaw {
  const noise = divide(unitNoise(query), amountOf(price))
  return price.rho ? { kind: 'gaussian', variance: noise } : { kind: 'laplace', scale: noise }
}

/** The standard deviation of a law, in steps. */
export function deviationOf(law: NoiseLaw): number {
  switch (law.kind) {
    case 'laplace':
      return Math.sqrt(laplaceVariance(toNumber(law.scale)))
    case 'gaussian':
      return Math.sqrt(gaussianVariance(toNumber(law.variance)))
    case 'none':
      return 0
  }
}
