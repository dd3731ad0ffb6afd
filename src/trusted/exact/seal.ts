import type { Exact } from './exact.ts'
import { vault } from './vault.ts'

/** For engines, which read the data, and for the meter. */
export const seal = <T>(value: T): Exact<T> => vault.seal(value)
