import { ReticentError } from '../../../schema/index.ts'

export const unreadable = (message: string, hint?: string, facts = {}) =>
  new ReticentError('source-unreadable', facts, { message, hint })

/**
 * A fault told in words that depend on what is inside the source: a file that lost its header has a record where its
 * columns' names should be, and names of files and tables may name people. For the owner; the engine tells others
 * `unreadableSource` instead.
 */
export class OwnersError extends ReticentError {
  constructor(message: string, hint?: string, facts = {}) {
    super('source-unreadable', facts, { message, hint })
  }
}

/** All that anybody but the owner learns of a source that is not in order. */
export const unreadableSource = () =>
  unreadable('the source has errors and cannot be read completely', 'The owner can find out why with `reticent check`.')

export const sourceChanged = (message: string) =>
  new ReticentError('source-changed', {}, { message, hint: 'Ask again when nobody writes to it.' })

/**
 * Whatever a database says may hold a value from the data, so nothing of it goes on: not even as a cause. Neither does
 * what only the owner should read.
 */
export async function quietly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OwnersError) throw unreadableSource()
    if (error instanceof ReticentError) throw error
    throw new ReticentError(
      'engine-failed',
      {},
      { message: 'the source could not be read', hint: 'The owner can find out why with `reticent check`.' },
    )
  }
}
