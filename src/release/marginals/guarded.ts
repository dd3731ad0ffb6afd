import { ReticentError } from '../../schema/index.ts'

/**
 * What the meter gives, or undefined where a guard says no: then a query keeps the noise it has, and the others go on.
 */
export function unlessGuarded<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch (error) {
    if (error instanceof ReticentError && error.code === 'guarded') return undefined
    throw error
  }
}
