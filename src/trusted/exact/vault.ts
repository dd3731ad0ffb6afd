import { Exact } from './exact.ts'

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

export const vault = {
  seal: <T>(value: T): Exact<T> => Object.freeze(new Sealed(value)),
  open: Sealed.open,
}
