import type { Statement } from '../../query/index.ts'
import { confidenceFor } from '../compose.ts'
import { noiseKind } from '../price/fresh.ts'
import type { Needs } from '../price/needs.ts'
import type { Within } from '../requirement.ts'
import type { Session } from '../session.ts'
import { chosenDoubt } from './doubt.ts'

/** The share of the doubt that each attempt has: nearly always the first succeeds. */
const attempts = [0.97, 0.025, 0.005]
/** How often denominators are bought, if they turn out to be smaller than estimated. */
export const mostAttempts = attempts.length
/** The share of the doubt that is set aside for deciding that earlier answers cannot be enough. */
const setAside = 0.02

/** A statement with ratios, what is required of it, and how certain each of its intervals must be. */
export interface RatioContext {
  readonly statement: Statement
  readonly wanted: Within
  readonly needs: Needs
  readonly session: Session
  readonly doubt: RatioDoubt
  /** If no floor was given: groups below this size may be less precise, if the others dwarf them. */
  readonly comfortable?: number
}

/**
 * How the doubt is shared. What the history says decides which interval becomes the answer, the history's or a purchase's. So each has a
 * share, unless the history says nothing, or so little that it could not have been enough.
 */
interface RatioDoubt {
  /** Of an interval that is no ratio's. */
  readonly other: number
  readonly history: number
  /** Of the bounds which show that the history cannot be enough. */
  readonly hopeless: number
  purchase(attempt: number, history: 'silent' | 'hopeless' | 'close'): number
  /** Of a descent, which is only tried if the history says nothing. */
  readonly descent: number
}

export function ratioContext(
  statement: Statement,
  wanted: Within,
  { needs, session }: { needs: Needs; session: Session },
): RatioContext {
  const other = 1 - confidenceFor(statement, wanted)
  const kind = noiseKind(session.book)
  const chosen = (doubt: number) => chosenDoubt(doubt, kind)
  const descent = chosenDoubt(attempts[0]! * other, 'descent')
  // As sure as the first purchase, so that it is free to ask again.
  const history = kind === 'laplace' ? descent : chosen(attempts[0]! * other)
  const left = { silent: 1, hopeless: 1 - setAside, close: 1 - setAside - history / other }
  const doubt: RatioDoubt = {
    other,
    history,
    hopeless: setAside * other,
    descent,
    purchase: (attempt, told) => chosen(attempts[attempt]! * left[told] * other),
  }
  return { statement, wanted, needs, session, doubt }
}

/** The parts of ratios. */
export const ratioParts = ({ ratios }: Needs): Set<number> =>
  new Set(ratios.flatMap(({ ratio }) => [ratio.numerator.part, ratio.denominator.part]))
