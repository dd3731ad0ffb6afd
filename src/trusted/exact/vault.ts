import type { Exact } from './exact.ts'

/** What each Exact holds. Imported by seal.ts and open.ts only. */
export const vault = new WeakMap<Exact<unknown>, unknown>()
