/**
 * An exact answer from private data. It has no face: printing, serialising, comparing or adding it gives nothing away.
 * seal.ts makes one, open.ts alone looks inside, and scripts/arrows.mjs says who may import which.
 */
export class Exact<T> {
  /** Keeps Exact<A> and Exact<B> apart for the compiler; never set. */
  declare protected readonly of?: T

  toString(): string {
    return '[exact]'
  }
  toJSON(): string {
    return '[exact]'
  }
  valueOf(): never {
    throw new TypeError('an exact answer cannot be used as a value')
  }
  [Symbol.toPrimitive](): never {
    throw new TypeError('an exact answer cannot be used as a value')
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[exact]'
  }
}

/** Exact answers in order: an array of them, or one table that holds many. */
export interface ExactAnswers<T> {
  readonly length: number
  at(place: number): Exact<T> | undefined
}
