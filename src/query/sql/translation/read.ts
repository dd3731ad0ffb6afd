import type { Scope } from '../scope.ts'
import { Uncomputed, unsupported } from '../scope.ts'
import { compute } from './compute.ts'

/** Expressions that one statement may have computed, and how long that may take all in all: nobody can stop it on the way. */
const maxExpressions = 100
const maxSeconds = 60

/** Reads a statement; whenever that lacks what an expression is at every cell, computes it and reads again. `now` is in milliseconds. */
export async function readComputing<T>(scope: Scope, read: () => T, now = () => performance.now()): Promise<T> {
  const began = now()
  const isLate = () => now() - began > 1000 * maxSeconds
  for (;;) {
    try {
      return read()
    } catch (error) {
      await supply(scope, error, isLate)
    }
  }
}

/** Computes what was missing, and before that what is missing in it; anything else is thrown on. */
async function supply(scope: Scope, error: unknown, isLate: () => boolean): Promise<void> {
  if (!(error instanceof Uncomputed)) throw error
  if (scope.computed.size >= maxExpressions)
    throw unsupported(scope, error.node, `more than ${maxExpressions} expressions in one statement are not supported`)
  if (isLate())
    throw unsupported(
      scope,
      error.node,
      `the expressions of this statement take more than ${maxSeconds} seconds to compute`,
    )
  try {
    scope.computed.set(error.node, await compute(scope, error.node, error.isSummed))
  } catch (inner) {
    await supply(scope, inner, isLate)
  }
}
