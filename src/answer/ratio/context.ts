import type { Statement } from '../../query/index.ts'
import { confidenceFor } from '../compose.ts'
import type { Needs } from '../price/needs.ts'
import type { Within } from '../requirement.ts'
import type { Session } from '../session.ts'

/**
 * The doubt is shared: which interval becomes the answer, the history's or the purchase's, is decided by what the history
 * says, so each has a share; and all that the width of the purchase's interval hangs on has the rest.
 */
const shares = { history: 0.45, purchase: 0.45, width: 0.1 }
/** At most so many purchases that tell how large denominators are. */
export const mostLooks = 6

/** A statement with ratios, what is asked of it, and how sure each of its intervals must be. */
export interface RatioContext {
  readonly statement: Statement
  readonly wanted: Within
  readonly needs: Needs
  readonly session: Session
  readonly confidence: {
    /** Of an interval that is no ratio's. */
    readonly other: number
    readonly history: number
    readonly purchase: number
    /** Of the history's bounds on a denominator, every look's, and how far its last estimate is off. */
    readonly size: number
  }
}

export function ratioContext(
  statement: Statement,
  wanted: Within,
  { needs, session }: { needs: Needs; session: Session },
): RatioContext {
  const other = confidenceFor(statement, wanted)
  const allowing = (share: number) => 1 - share * (1 - other)
  const confidence = {
    other,
    history: allowing(shares.history),
    purchase: allowing(shares.purchase),
    size: allowing(shares.width / (mostLooks + 2)),
  }
  return { statement, wanted, needs, session, confidence }
}

/** The parts of ratios. */
export const ratioParts = ({ ratios }: Needs): Set<number> =>
  new Set(ratios.flatMap(({ ratio }) => [ratio.numerator.part, ratio.denominator.part]))
