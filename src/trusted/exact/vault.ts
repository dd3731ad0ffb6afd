import { Exact, type ExactAnswers } from './exact.ts'

/** What an Exact holds. Imported by seal.ts and open.ts only. */
class Sealed<T> extends Exact<T> {
  /** No reflection, printing or cloning gets at it. */
  readonly #value: T

  constructor(value: T) {
    super()
    this.#value = value
  }

  static open<T>(exact: Exact<T>): T {
    if (!(#value in exact)) throw new TypeError('not a sealed answer')
    return exact.#value as unknown as T
  }
}

/** What a table of exact answers holds: the answers one after the other, and where each begins. */
interface Flat {
  readonly values: Float64Array
  /** One more than there are answers: where the last one ends. */
  readonly starts: Float64Array
}

/** Half a million answers as one object; an Exact of one is made when it is looked at. */
class SealedTable implements ExactAnswers<Float64Array> {
  readonly length: number
  readonly #flat: Flat

  constructor(flat: Flat) {
    this.length = flat.starts.length - 1
    this.#flat = flat
  }

  at(place: number): Exact<Float64Array> | undefined {
    if (!(place >= 0 && place < this.length)) return undefined
    const { values, starts } = this.#flat
    return vault.seal(values.subarray(starts[place], starts[place + 1]))
  }

  static open(answers: object): Flat | undefined {
    return #flat in answers ? answers.#flat : undefined
  }
}

export const vault = {
  sealTable: (values: Float64Array, starts: Float64Array): ExactAnswers<Float64Array> =>
    Object.freeze(new SealedTable({ values, starts })),
  openTable: SealedTable.open,
  seal: <T>(value: T): Exact<T> => Object.freeze(new Sealed(value)),
  open: Sealed.open,
}
