import { ReticentError } from '../../schema/index.ts'
import type { Run } from '../meter.ts'

const isGuarded = (error: unknown): boolean => error instanceof ReticentError && error.code === 'guarded'

/**
 * The meter's result, or undefined if a guard refuses: then the query keeps the noise it has, and the others continue.
 */
export function unlessGuarded<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch (error) {
    if (isGuarded(error)) return undefined
    throw error
  }
}

/**
 * A run, and which of its queries a guard holds back: those whose very next step it has refused. (Of a longer one it
 * may still allow a part.)
 */
export function watched(run: Pick<Run, 'values' | 'level' | 'allows' | 'lower'>) {
  const refused = new Map<number, number>()
  const lower: Run['lower'] = (query, level, stop) => {
    try {
      return run.lower(query, level, stop)
    } catch (error) {
      if (isGuarded(error)) refused.set(query, level)
      throw error
    }
  }
  return {
    run: {
      values: (query: number) => run.values(query),
      level: (query: number) => run.level(query),
      allows: (query: number, level: number) => run.allows(query, level),
      lower,
    },
    isHeldBack: (query: number): boolean => refused.get(query) === run.level(query) + 1,
  }
}
