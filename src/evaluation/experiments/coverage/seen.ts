import type { Estimate } from '../../../answer/index.ts'

/** Of all intervals here. */
export const confidence = 0.95

/** One answer that an analyst has seen: how far it was off, and the half-widths that it came with. */
export interface Seen {
  readonly error: number
  /** Of the interval for this answer alone, and of the one that holds always. */
  readonly alone: number
  readonly always: number
}

export const seen = ({ estimate, within, withinAlone }: Estimate, exact: number): Seen => ({
  error: estimate! - exact,
  alone: withinAlone!,
  always: within!,
})
