import type { Exact } from './exact.ts'
import { vault } from './vault.ts'

/** For mechanisms alone, which add noise before anything leaves. */
export const open = <T>(exact: Exact<T>): T => vault.open(exact)

/** The numbers of answers that were sealed together, and where each begins; undefined for any others. */
export const openTable = (answers: object): ReturnType<typeof vault.openTable> => vault.openTable(answers)
