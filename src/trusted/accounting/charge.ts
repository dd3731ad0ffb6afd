import type { Rational } from '../../numeric/index.ts'
import type { LinearQuery, NoiseLaw } from '../../query/index.ts'

/**
 * What the world gets to see of the data, and how blurred: the parameters that a cost follows from. A closed set: tables
 * are keyed by all kinds, so a new one without a price does not compile.
 */
export type Charge = AnswerCharge | SelectionCharge | ScoreCharge

/** What a record pays for by its own weight in the query, so that the worst cell bounds all of these together. */
export type AnswerCharge = MeasurementCharge | RefinementCharge

/** Answers with noise of their own. */
export interface MeasurementCharge {
  readonly kind: 'measurement'
  readonly query: LinearQuery
  readonly law: NoiseLaw
}
/** Less noise on answers that have been paid for. */
export interface RefinementCharge {
  readonly kind: 'refinement'
  readonly query: LinearQuery
  readonly law: NoiseLaw
  /** The law of the answers that it sharpens. */
  readonly paid: NoiseLaw
}
/** One candidate of several, chosen with probability ∝ exp(rate · score). */
interface SelectionCharge {
  readonly kind: 'selection'
  readonly rate: Rational
  /** The most that one protected unit moves any score, in the policy's own relation. */
  readonly sensitivity: bigint
}
/** One score, told with noise. */
interface ScoreCharge {
  readonly kind: 'score'
  readonly law: NoiseLaw
  readonly sensitivity: bigint
}

export const measurementCharge = ({ query, law }: Omit<MeasurementCharge, 'kind'>): MeasurementCharge => ({
  kind: 'measurement',
  query,
  law,
})

export type ChargeOf<K extends Charge['kind']> = Extract<Charge, { kind: K }>

const inWorstCell: { [K in Charge['kind']]: ChargeOf<K> extends AnswerCharge ? true : false } = {
  measurement: true,
  refinement: true,
  selection: false,
  score: false,
}
export const isAnswer = (charge: Charge): charge is AnswerCharge => inWorstCell[charge.kind]
