import { Exact } from './exact.ts'
import { vault } from './vault.ts'

/** For engines, which read the data, and for the meter. */
export function seal<T>(value: T): Exact<T> {
  const exact = new Exact<T>()
  vault.set(exact, value)
  return Object.freeze(exact)
}
