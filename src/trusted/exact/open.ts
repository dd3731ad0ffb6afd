import type { Exact } from './exact.ts'
import { vault } from './vault.ts'

/** For mechanisms alone, which add noise before anything leaves. */
export const open = <T>(exact: Exact<T>): T => vault.open(exact)
