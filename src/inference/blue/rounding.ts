/** A number, and how far rounding may have moved it. */
export interface Rounded {
  readonly value: number
  readonly rounding: number
}

/** Half the distance of 1 to the next double: what one operation may be off by, as a share of its result. */
export const unit = 2 ** -53

/**
 * A sum of so many products is off by at most this many units of the sum of their sizes. Errors of single operations add
 * up like a random walk: 8 times the root of their number are exceeded with a probability below 10^-13 (Higham and Mary
 * 2019), and 8 more leave room for what is done with the sum.
 */
export const unitsOf = (terms: number): number => 8 * Math.sqrt(terms) + 8
