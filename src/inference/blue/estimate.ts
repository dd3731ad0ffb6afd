import type { Universe } from '../../schema/index.ts'
import { type Law, type Term, varianceOfError } from '../posterior/law.ts'
import type { Components } from './components.ts'
import { type CellWeights, MarginalWeights } from './marginal-weights.ts'
import type { MarginalAnswer } from './read.ts'
import type { Combined } from './scalars.ts'

/** What a history says about one linear query. */
export type Estimate = Estimated | NotEstimable

export interface NotEstimable {
  readonly estimable: false
  /** Number of answers in the history that were not used: beyond the cap, or too near to others. */
  readonly leftOut: number
}

export interface Estimated {
  readonly estimable: true
  /** Best linear unbiased, in the data's own units. */
  readonly estimate: number
  readonly variance: number
  /** The error is Σ coefficient·noise over independent noises in steps; equal coefficients of one answer are grouped. */
  readonly coefficients: readonly Term[]
  /** The measurements that it was made of, the largest shares of its variance first. */
  readonly sources: readonly Source[]
  readonly leftOut: number
}

export interface Source {
  /** Of the measurement. */
  readonly id: string
  /** Σ |coefficient| over its noisy numbers, in the data's units per step. */
  readonly weight: number
  /** Its part of the variance. */
  readonly variance: number
}

/** What an estimate in steps of the question is turned into one in the data's units with. */
export interface Making {
  readonly step: number
  readonly marginals: readonly MarginalAnswer[]
  readonly components: Components
  readonly universe: Universe
  readonly leftOut: number
}
interface Part {
  readonly id: string
  readonly terms: readonly Term[]
}

/** A variance that is a small difference of large numbers is added up from the coefficients instead. */
const cancelled = 1e-3

/** The estimate in the data's units. Coefficients are computed when they are first asked for. */
export function estimateOf(combined: Combined, making: Making): Estimated {
  const { step, leftOut } = making
  let parts: readonly Part[] | undefined
  let terms: readonly Term[] | undefined
  const madeOf = () => (parts ??= partsOf(combined, making))
  const all = () => (terms ??= termsIn(madeOf()))
  const safe = combined.variance > cancelled * combined.largest
  return {
    estimable: true,
    estimate: step * combined.estimate,
    variance: safe ? step * step * combined.variance : varianceOfError(all()),
    leftOut,
    get coefficients() {
      return all()
    },
    get sources() {
      return madeOf()
        .map(({ id, terms }) => ({
          id,
          weight: terms.reduce((sum, { coefficient, count }) => sum + count * Math.abs(coefficient), 0),
          variance: varianceOfError(terms),
        }))
        .sort((x, y) => y.variance - x.variance)
    },
  }
}

function partsOf(combined: Combined, { step, marginals, components, universe }: Making): Part[] {
  const byId = new Map<string, Term[]>()
  for (const { answer, times } of combined.answers) {
    const list = byId.get(answer.id)
    const term = { law: answer.law, coefficient: step * times, count: 1 }
    if (list) list.push(term)
    else byId.set(answer.id, [term])
  }
  const rest = new MarginalWeights(universe, components, combined.rest())
  return [
    ...Array.from(byId, ([id, terms]) => ({ id, terms })),
    ...marginals.map(({ id, law, attributes, variance }) => ({
      id,
      terms: termsOf(rest.of(attributes, variance), law, step),
    })),
  ].filter(({ terms }) => terms.length > 0)
}

/** There may be 10^5 of them: flatMap would take longer than all the rest. */
function termsIn(parts: readonly Part[]): Term[] {
  const all: Term[] = []
  for (const { terms } of parts) for (let i = 0; i < terms.length; i++) all.push(terms[i]!)
  return all
}

function termsOf({ coefficients, counts }: CellWeights, law: Law, step: number): Term[] {
  const terms: Term[] = []
  for (let i = 0; i < coefficients.length; i++)
    if (coefficients[i] !== 0) terms.push({ law, coefficient: step * coefficients[i]!, count: counts[i]! })
  return terms
}
