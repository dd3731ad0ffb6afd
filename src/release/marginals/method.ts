import { laplaceVariance, type Rational, toNumber } from '../../numeric/index.ts'
import type { Integers, LinearQuery } from '../../query/index.ts'
import type { Bought } from '../meter.ts'
import type { MarginalsContext } from './request.ts'
import type { SettledRequest } from './settled-request.ts'

/** One way to share noise out between marginals, and all that is particular to it. */
export interface ReleaseMethod {
  /** The number of records, from which its scales follow; a share of ε for a first phase. */
  readonly needs: { readonly records?: true; readonly firstShare?: true }
  /**
   * The scale of what it shows of each marginal at once, before it chooses anything: a guard that says no to these says
   * no to the release. Throws where ε does not even pay for them.
   */
  firstLook(request: SettledRequest): readonly Rational[]
  /**
   * The scales of each marginal's answers, one or several, if the tables are as guessed. A guess is told as the mean of
   * 1/max{δ, count} over each.
   */
  plan(request: SettledRequest, reciprocals: readonly number[]): readonly (readonly number[])[]
  /** Buys the answers, step by step, from what the meter has shown and nothing else. */
  measure<Receipt extends Bought>(
    request: SettledRequest,
    context: MarginalsContext<Receipt>,
  ): Promise<{ readonly marginals: readonly MeasuredMarginal[]; readonly receipt: Receipt }>
  /**
   * Whether all that it held in ρ stays spent when it is through: how far noise was lowered may depend on what was seen on
   * the way. Answers with noise of their own cost what they cost.
   */
  readonly keepsHold: boolean
}

/** One marginal as a method measured it. */
export interface MeasuredMarginal {
  readonly attributes: readonly string[]
  readonly query: LinearQuery
  /** The method's own estimate of each cell, the last attribute running fastest. */
  readonly values: Float64Array
  /** Of the noise in each cell: that of a Laplace law of the same variance where several answers were combined. */
  readonly scale: number
  /** Of `values`. */
  readonly variance: number
  /** What it cost by itself. */
  readonly epsilon: number
  /** Whether a guard said no to less noise than it has: by queries and scales alone. */
  readonly heldBack: boolean
}

/** The same for every marginal. */
export const everywhere = <T>(value: T, { queries }: SettledRequest): T[] => queries.map(() => value)

/** Marginals that have one answer each, of which it says the values, the scale and whether it was held back. */
export const withOneAnswer = (
  { queries, marginals, unitScales }: SettledRequest,
  answer: (query: number) => Pick<MeasuredMarginal, 'scale' | 'heldBack'> & { readonly values: Integers },
): MeasuredMarginal[] =>
  queries.map((query, j) => {
    const { values, scale, heldBack } = answer(j)
    return {
      attributes: marginals[j]!,
      query,
      values: Float64Array.from(values, Number),
      scale,
      variance: laplaceVariance(scale),
      epsilon: toNumber(unitScales[j]!) / scale,
      heldBack,
    }
  })
