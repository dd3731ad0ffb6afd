import type { Exact } from './exact.ts'
import { vault } from './vault.ts'

/** For mechanisms alone, which add noise before anything leaves. */
export function open<T>(exact: Exact<T>): T {
  if (!vault.has(exact)) throw new TypeError('not a sealed answer')
  return vault.get(exact) as T
}
