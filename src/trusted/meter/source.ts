import { ReticentError } from '../../schema/index.ts'
import type { Engine } from '../engine/index.ts'
import type { Ledger } from '../ledger/index.ts'

const note = 'source-last-seen'

/**
 * Throws unless the source is still the one that the ledger is about. For a quick check it is enough that its metadata
 * look as they did at the last full one; else its whole content is read.
 */
export async function checkSource(
  engine: Engine,
  ledger: Ledger,
  fingerprint: string,
  depth: 'quick' | 'full' = 'quick',
): Promise<void> {
  const quick = await engine.fingerprint('quick')
  if (depth === 'quick' && (await ledger.note(note)) === `${fingerprint} ${quick}`) return
  if ((await engine.fingerprint('full')) !== fingerprint) {
    throw new ReticentError(
      'source-changed',
      {},
      {
        message: 'the data are not those that this ledger is about',
        hint: 'Restore them, or let the owner run `reticent ledger epoch`: what was spent stays spent, and old answers retire.',
      },
    )
  }
  // The metadata from before the full check: a change in between shows the next time.
  await ledger.setNote(note, `${fingerprint} ${quick}`)
}
