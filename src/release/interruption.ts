import { stopIfAborted } from '../schema/index.ts'

/**
 * Where a release may stop: lets the rest of the process have a turn, so that a signal can arrive, and throws if it has.
 * Without a signal it does nothing.
 */
export async function stoppingPoint(signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return
  await new Promise((resume) => setImmediate(resume))
  stopIfAborted(signal, 'What was revealed so far is recorded.')
}
