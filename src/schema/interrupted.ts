import { ReticentError } from './error.ts'

/** Throws if somebody wants the work to stop. To be called between steps, where stopping leaves nothing half done. */
export function stopIfAborted(signal: AbortSignal | undefined, detail = 'Nothing was spent.'): void {
  if (signal?.aborted) throw new ReticentError('interrupted', {}, { message: 'interrupted', detail })
}
