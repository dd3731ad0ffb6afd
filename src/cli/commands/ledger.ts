import { beginEpoch, changeCap, createLedgerFor, exportLedger, type Verdict, verifyLedger } from '../../index.ts'
import { number } from '../format.ts'
import type { Output } from '../output.ts'
import type { GlobalOptions } from '../program.ts'
import { visibleJson } from '../visible.ts'
import { refuseUnreadable } from './check.ts'

export async function create({ policy }: GlobalOptions, out: Output, signal?: AbortSignal): Promise<void> {
  await refuseUnreadable(policy)
  const receipt = await createLedgerFor(policy, signal)
  await out.result({ created: true, receipt }, 'the ledger is made; questions can be asked')
  await out.note(`receipt ${receipt}`)
}

export async function verify({ policy, receipt }: GlobalOptions & { receipt?: string }, out: Output): Promise<number> {
  const verdict = await verifyLedger(policy, receipt)
  await out.result(verdict, verdictText(verdict))
  return verdict.ok ? 0 : 1
}

export async function exportRows({ policy }: GlobalOptions, out: Output): Promise<void> {
  const rows = await exportLedger(policy)
  await out.result({ rows: rows.map((row) => JSON.parse(row)) }, rows.map(visibleJson))
}

export async function epoch({ policy }: GlobalOptions, out: Output): Promise<void> {
  await refuseUnreadable(policy)
  const receipt = await beginEpoch(policy)
  await out.result({ receipt }, 'a new epoch begins; what was spent stays spent, and the answers so far retire')
  await out.note(`receipt ${receipt}`)
}

export async function cap(epsilon: string, { policy }: GlobalOptions, out: Output): Promise<void> {
  const changed = await changeCap(policy, epsilon)
  const { delta } = changed.cap
  await out.result(changed, `the cap is ε ${epsilon}${delta > 0 ? ` at δ ${delta}` : ''} now`)
  await out.note(`receipt ${changed.receipt}`)
}

function verdictText({ ok, rows, cap, bound, exhibited, continues }: Verdict): string {
  const receipt =
    continues === undefined
      ? ''
      : continues
        ? '; it continues the ledger that gave the receipt'
        : '; it does NOT continue the ledger that gave the receipt'
  const state =
    exhibited > cap
      ? `a record has paid ε ${number(exhibited)}, above the cap of ${number(cap)}`
      : `no record has paid more than ε ${number(bound)} of ${number(cap)}`
  return `${ok ? 'in order' : 'NOT in order'}: ${rows} rows, the chain holds, ${state}${receipt}`
}
