import type { Finding } from './audit.ts'

/** The verdict in a word; in capitals where it is not what it should be. */
export function verdictWord({ kind, verdict }: Finding): string {
  if (kind === 'shipped') return verdict === 'kept' ? 'kept' : 'VIOLATED'
  return verdict === 'violated' ? 'caught' : 'NOT CAUGHT'
}
