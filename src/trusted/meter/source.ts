import { ReticentError } from '../../schema/index.ts'
import type { Engine, Snapshot } from '../engine/index.ts'
import type { Ledger } from '../ledger/index.ts'

const note = 'source-last-seen'

/**
 * The source as it is now, if it is the one that the ledger is about; throws otherwise. For a quick check it is enough
 * that its metadata look as they did at the last full one; else its whole content is read.
 */
export async function checkSource(
  engine: Engine,
  ledger: Ledger,
  fingerprint: string,
  depth: 'quick' | 'full' = 'quick',
): Promise<Snapshot> {
  const snapshot = await engine.snapshot()
  const seen = `${fingerprint} ${snapshot.quick}`
  if (depth === 'quick' && (await ledger.note(note)) === seen) return snapshot
  if ((await snapshot.full()) !== fingerprint) {
    throw new ReticentError(
      'source-changed',
      {},
      {
        message: 'the data have changed since this ledger was created or began its epoch',
        hint: 'Restore them, or let the owner run `reticent ledger epoch`: what was spent stays spent, and old answers are no longer used.',
      },
    )
  }
  await ledger.setNote(note, seen)
  return snapshot
}
