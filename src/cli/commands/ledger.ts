import {
  beginEpoch,
  changeCap,
  checkNewLedger,
  createLedgerFor,
  exportLedger,
  type MoveOptions,
  moveLedgerFor,
  type RestoredLedger,
  restoreLedger,
  type Verdict,
  verifyLedger,
} from '../../index.ts'
import { number, shortReceipt } from '../format.ts'
import type { GlobalOptions } from '../global-options.ts'
import type { Output } from '../output.ts'
import { visibleJson } from '../visible.ts'
import { refuseUnreadable } from './check.ts'

/**
 * Creates the ledger that the policy names, once. It reads the whole source, whose fingerprint the ledger keeps from then on.
 *
 *     reticent ledger create
 */
export async function create(
  { policy, owner }: GlobalOptions & { owner?: string },
  out: Output,
  signal?: AbortSignal,
): Promise<void> {
  await checkNewLedger(policy, { owner })
  await refuseUnreadable(policy, out, signal)
  const receipt = await createLedgerFor(policy, signal, { owner })
  await out.result({ created: true, receipt }, 'the ledger is created; you can ask questions now')
  await out.note(shortReceipt(receipt))
}

/**
 * Reads the whole ledger again: is its chain unbroken, and has nobody been charged beyond the cap? With a receipt, also whether
 * it continues the ledger that gave it. The status is 1 if anything is wrong.
 *
 *     reticent ledger verify --receipt 12:9f86d081…
 */
export async function verify({ policy, receipt }: GlobalOptions & { receipt?: string }, out: Output): Promise<number> {
  const verdict = await verifyLedger(policy, receipt)
  await out.result(verdict, verdictText(verdict))
  return verdict.ok ? 0 : 1
}

/**
 * Its rows as JSON lines, for an auditor: without the secret, but with every statement and every noisy answer.
 *
 *     reticent ledger export > ledger.jsonl
 */
export async function exportRows({ policy }: GlobalOptions, out: Output): Promise<void> {
  const rows = await exportLedger(policy)
  await out.result({ rows: rows.map((row) => JSON.parse(row)) }, rows.map(visibleJson))
}

/**
 * For the owner, when the data or the attributes have changed: earlier answers are no longer used, but what was spent on them
 * stays spent, since the same people may be in both.
 *
 *     reticent ledger epoch
 */
export async function epoch({ policy }: GlobalOptions, out: Output, signal?: AbortSignal): Promise<void> {
  await refuseUnreadable(policy, out, signal)
  const receipt = await beginEpoch(policy, signal)
  await out.result(
    { receipt },
    'a new epoch begins: what was spent stays spent, and earlier answers are no longer used',
  )
  await out.note(shortReceipt(receipt))
}

/**
 * For the owner: adopts the cap that the policy states. It is typed once more, so that nobody raises it by accident.
 *
 *     reticent ledger cap 2.0
 */
export async function cap(epsilon: string, { policy }: GlobalOptions, out: Output): Promise<void> {
  const changed = await changeCap(policy, epsilon)
  const { delta } = changed.cap
  await out.result(changed, `the cap is ε ${epsilon}${delta > 0 ? ` at δ ${delta}` : ''} now`)
  await out.note(shortReceipt(changed.receipt))
}

export async function restore({ policy, plan }: GlobalOptions & { plan: boolean }, out: Output): Promise<void> {
  const restored = await restoreLedger(policy, { plan })
  out.result(restored, restoredText(restored, plan))
  if (restored.receipt) out.note(shortReceipt(restored.receipt))
}

/**
 * For the owner: moves the ledger between a file and PostgreSQL, with every row and its key. The old one is closed for good.
 *
 *     reticent ledger move --to env:LEDGER --owner env:LEDGER_OWNER
 */
export async function move({ policy, ...options }: GlobalOptions & MoveOptions, out: Output): Promise<void> {
  const moved = await moveLedgerFor(policy, options)
  const done = moved.already
    ? `the ledger was moved to ${moved.to} before`
    : `the ledger, ${moved.rows} rows, is now at ${moved.to}; the old one is closed`
  await out.result(moved, `${done}\nchange the policy to say\n  ${moved.policy}`)
  await out.note(shortReceipt(moved.receipt))
}

function restoredText({ lost, rows, charged, spent, cap }: RestoredLedger, plan: boolean): string {
  const [row] = lost.split(':')
  const price = Number.isFinite(charged) ? `ε ${number(charged)}` : 'more than any ε'
  const total = Number.isFinite(spent) ? `ε ${number(spent)} of ${number(cap)}` : 'more than any ε'
  return `${plan ? 'this would continue' : 'the ledger continues'} with a copy of ${rows} rows; row ${row}, the last one recorded here, is lost
charged to every record for the loss: ${price}; spent, including that: ${total}
given up: the lost answers, what they said about later ones, and refining any earlier answer
unknown: rows written after row ${row}; guards do not know the lost answers`
}

function verdictText({ ok, rows, sums, cap, bound, exhibited, lost, continues, continuesLastSeen }: Verdict): string {
  const state = {
    kept: `no record has paid more than ε ${number(bound)} of ${number(cap)}`,
    overspent: `a record was charged ε ${number(exhibited)}, above the cap of ${number(cap)}`,
    undecided: `the upper bound on what a record has paid is ε ${number(bound)}, above the cap of ${number(cap)}; no record was found that has paid more than ε ${number(exhibited)}`,
  }[sums]
  const parts = [
    `${rows} rows, the hash chain is intact`,
    state,
    lost !== undefined && `ε ${number(lost)} of that was charged for lost rows`,
    continuesLastSeen === false &&
      'it does NOT continue the ledger that was last used here: restore the newest one, or see `reticent ledger restore --plan`',
    continues !== undefined && `it ${continues ? 'continues' : 'does NOT continue'} the ledger that gave the receipt`,
  ]
  return `${ok ? 'in order' : 'NOT in order'}: ${parts.filter(Boolean).join('; ')}`
}
