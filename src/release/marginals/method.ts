import { type Rational, toNumber } from '../../numeric/index.ts'
import type { Integers, LinearQuery } from '../../query/index.ts'
import type { Bought } from '../meter.ts'
import type { MarginalsContext } from './request.ts'
import type { SettledRequest } from './settled-request.ts'

/** One way to share noise out between marginals, and all that is particular to it. */
export interface ReleaseMethod {
  /** What it can be paid in: ε for Laplace noise, ρ for Gaussian noise. */
  readonly pays: readonly ('epsilon' | 'rho')[]
  /** The number of records, from which its scales follow; a share of the budget for a first phase; weights, if given. */
  readonly needs: { readonly records?: true; readonly firstShare?: true; readonly weights?: true }
  /**
   * The noise of what it shows of each marginal at once, before it chooses anything: a guard that says no to these says
   * no to the release. Throws where the budget does not even pay for them.
   */
  firstLook(request: SettledRequest): readonly Rational[]
  /**
   * The noise of each marginal's answers, one or several, if the tables are as guessed. A guess is told as the mean of
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
  /** Of the noise in each cell, Laplace's b or Gauss's σ: of a law of the same variance where several answers were combined. */
  readonly scale: number
  /** Of `values`. */
  readonly variance: number
  /** What it cost by itself, in what was held. */
  readonly price: number
  /** Whether a guard said no to less noise than it has: by queries and scales alone. */
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
