import type { LinearQuery } from '../../query/index.ts'
import type { Law } from '../error-law/law.ts'

/** A law that meters draw from. */
export type DrawnLaw = Exclude<Law, { kind: 'continuous-laplace' }>

/** One noisy number, in steps of its query. */
export interface ScalarAnswer {
  readonly query: LinearQuery
  readonly value: number
  readonly law: DrawnLaw
}

/** log Pr(noise = steps) up to a constant, also between the steps. */
export const logDensity = (law: DrawnLaw, steps: number): number =>
  law.kind === 'laplace' ? -Math.abs(steps) / law.scale : -(steps * steps) / (2 * law.variance)

/** How far the noise reaches, about. */
export const spreadOf = (law: DrawnLaw): number => (law.kind === 'laplace' ? law.scale : Math.sqrt(law.variance))
