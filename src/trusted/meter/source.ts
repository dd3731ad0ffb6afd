import { ReticentError } from '../../schema/index.ts'
import type { Engine, Snapshot } from '../engine/index.ts'
import type { Ledger } from '../ledger/index.ts'

const note = 'source-last-seen'

/** What was already verified in this process, so that the ledger need not be asked every time. */
const lastSeen = new WeakMap<Engine, string>()

const seenAs = (fingerprint: string, { quick }: Pick<Snapshot, 'quick'>): string => `${fingerprint} ${quick}`

/** Notes that a snapshot with this fingerprint was read in full, for a ledger that is made from it: its first question need not read it again. */
export const noteSource = (ledger: Ledger, fingerprint: string, snapshot: Pick<Snapshot, 'quick'>): Promise<void> =>
  ledger.setNote(note, seenAs(fingerprint, snapshot))

/**
 * The source as it is now, if its data are those of the ledger; throws otherwise. If its metadata are the same as at
 * the last full check, that is enough; otherwise the whole content is read.
 */
export async function checkSource(
  engine: Engine,
  ledger: Ledger,
  fingerprint: string,
  depth: 'quick' | 'full' = 'quick',
): Promise<Snapshot> {
  const snapshot = await engine.snapshot()
  const seen = seenAs(fingerprint, snapshot)
  if (depth === 'quick' && (lastSeen.get(engine) === seen || (await ledger.note(note)) === seen)) {
    lastSeen.set(engine, seen)
    return snapshot
  }
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
  lastSeen.set(engine, seen)
  return snapshot
}
