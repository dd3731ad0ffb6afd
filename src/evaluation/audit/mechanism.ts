import type { Bits } from '../../trusted/random/index.ts'
import type { Claim } from './bound.ts'

/** Everything that one run lets the world see: numbers, or names of what was selected. */
export type Output = Float64Array | readonly (number | bigint | string)[]

/** A number per output: the larger, the more it speaks for the left input. Every threshold on it is an event. */
export type Score = (output: Output) => number

/** A way to look at outputs; what it takes for telling is learned from samples of both inputs. */
export interface Feature {
  readonly name: string
  learn(left: readonly Output[], right: readonly Output[]): Score
}

/** Runs the mechanism once, from beginning to end, on one fixed input. */
export type Run = (bits: Bits) => Output | Promise<Output>

/** Two inputs that the promise calls neighbours. */
export interface Pair {
  readonly name: string
  readonly left: Run
  readonly right: Run
}

/** Something that claims to be private, and how to try to prove it wrong. */
export interface Mechanism {
  readonly name: string
  /** Shipped mechanisms must pass; controls are broken on purpose and must be flagged. */
  readonly kind: 'shipped' | 'control'
  /** One line: what runs, or why it is broken. */
  readonly about: string
  readonly claim: Claim
  readonly pairs: readonly Pair[]
  /** Ways to look at an output, where those that suit any output are not enough. */
  readonly features?: readonly Feature[]
  /**
   * The truth, computed from the law instead of estimated: the smallest ε that holds at the claimed δ (without δ, the supremum of the
   * privacy loss over all outputs) on these pairs. For a control, a loss that it
   * attains; it does not enter the verdict. Infinity if there is no bound (null in JSON).
   */
  exact?(): number
}

/** The pairs of a mechanism that is one function of its input. */
export const pairsOf = <T>(
  inputs: readonly (readonly [name: string, left: T, right: T])[],
  run: (input: T, bits: Bits) => Output | Promise<Output>,
): Pair[] =>
  inputs.map(([name, left, right]) => ({ name, left: (bits) => run(left, bits), right: (bits) => run(right, bits) }))
