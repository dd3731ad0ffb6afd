import { type Rational, toNumber } from '../../numeric/index.ts'
import type { Integers, LinearQuery } from '../../query/index.ts'
import type { Bought } from '../meter.ts'
import type { MarginalsContext } from './request.ts'
import type { SettledRequest } from './settled-request.ts'

/** One way to allocate noise among marginals, and everything that is specific to it. */
export interface ReleaseMethod {
  /** What it can be paid in: ε for Laplace noise, ρ for Gaussian noise. */
  readonly pays: readonly ('epsilon' | 'rho')[]
  /** The number of records, from which its scales follow; a share of the budget for a first phase; weights, if given. */
  readonly needs: { readonly records?: true; readonly firstShare?: true; readonly weights?: true }
  /**
   * The noise of what it reveals of each marginal at once, before it chooses anything: a guard that refuses these
   * refuses the release. Throws if the budget does not even pay for them.
   */
  firstLook(request: SettledRequest): readonly Rational[]
  /**
   * The noise of each marginal's answers, one or several, if the tables are as guessed. A guess is given as the mean of
   * 1/max{δ, count} over each.
   */
  plan(request: SettledRequest, reciprocals: readonly number[]): readonly (readonly number[])[]
  /** Buys the answers, step by step, based only on what the meter has revealed. */
  measure<Receipt extends Bought>(
    request: SettledRequest,
    context: MarginalsContext<Receipt>,
  ): Promise<{ readonly marginals: readonly MeasuredMarginal[]; readonly receipt: Receipt }>
  /**
   * Whether the whole reservation in ρ stays spent at the end, because how far noise was lowered may depend on earlier
   * steps. Answers with independent noise cost only their own prices.
   */
  readonly keepsHold: boolean
}

/** One marginal as a method measured it. */
export interface MeasuredMarginal {
  readonly attributes: readonly string[]
  readonly query: LinearQuery
  /** The method's own estimate of each cell, the last attribute running fastest. */
  readonly values: Float64Array
  /** The noise scale of each cell, Laplace b or Gaussian σ; if several answers were combined, that of a distribution with the same variance. */
  readonly scale: number
  /** Of `values`. */
  readonly variance: number
  /** Its own cost, in the reserved currency. */
  readonly price: number
  /** Whether a guard refused less noise, which depends on queries and scales alone. */
  readonly heldBack: boolean
}

/** The same for every marginal. */
export const everywhere = <T>(value: T, { queries }: SettledRequest): T[] => queries.map(() => value)

/** Marginals that have one answer each with Laplace noise, of which it says the values, the scale and whether it was held back. */
export const withOneAnswer = (
  { queries, marginals, unitNoises, noise }: SettledRequest,
  answer: (query: number) => Pick<MeasuredMarginal, 'scale' | 'heldBack'> & { readonly values: Integers },
): MeasuredMarginal[] =>
  queries.map((query, j) => {
    const { values, scale, heldBack } = answer(j)
    return {
      attributes: marginals[j]!,
      query,
      values: Float64Array.from(values, Number),
      scale,
      variance: noise.variance(scale),
      price: toNumber(unitNoises[j]!) / scale,
      heldBack,
    }
  })
