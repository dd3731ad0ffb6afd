import type { Exact, ExactAnswers } from './exact.ts'
import { vault } from './vault.ts'

/** For engines, which read the data, and for the meter. */
export const seal = <T>(value: T): Exact<T> => vault.seal(value)

/** Many answers, one after the other, sealed together; `starts` says where each begins, and where the last one ends. */
export const sealTable = (values: Float64Array, starts: Float64Array): ExactAnswers<Float64Array> =>
  vault.sealTable(values, starts)
