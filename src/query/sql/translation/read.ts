import type { Scope } from '../scope.ts'
import { Uncomputed, unsupported } from '../scope.ts'
import { compute } from './compute.ts'

/** Expressions that one statement may have computed. */
const maxExpressions = 100

/** Reads a statement; whenever that lacks what an expression is at every cell, computes it and reads again. */
export async function readComputing<T>(scope: Scope, read: () => T): Promise<T> {
  for (;;) {
    try {
      return read()
    } catch (error) {
      await supply(scope, error)
    }
  }
}

/** Computes what was missing, and before that what is missing in it; anything else is thrown on. */
async function supply(scope: Scope, error: unknown): Promise<void> {
  if (!(error instanceof Uncomputed)) throw error
  if (scope.computed.size >= maxExpressions)
    throw unsupported(scope, error.node, `more than ${maxExpressions} expressions in one statement are not supported`)
  try {
    scope.computed.set(error.node, await compute(scope, error.node, error.isSummed))
  } catch (inner) {
    await supply(scope, inner)
  }
}
