import type { Measurement } from '../../query/index.ts'

/** What a fit needs of a measurement. */
export type Answered = Pick<Measurement, 'query' | 'law' | 'values'>

/** Where a feature comes from: one cell of an answer, and what its weights were divided by. */
export interface FeatureSource {
  readonly answer: Answered
  readonly place: number
  readonly scale: number
}
