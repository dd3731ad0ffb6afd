import { ledgerPlace, loadPolicy, type Policy } from '../schema/index.ts'
import {
  formatReceipt,
  headFileOf,
  moveLedger,
  type OwnerOptions,
  readSeen,
  requireSeen,
} from '../trusted/ledger/index.ts'

/** Where a ledger goes. */
export interface MoveOptions extends OwnerOptions {
  /** The path of a file, `postgresql://…` or `env:NAME`. */
  readonly to: string
  /** The schema in PostgreSQL; `reticent_` and the dataset's name by default. */
  readonly schema?: string
}

/** What `ledger move` did. */
export interface LedgerMove {
  /** The new place, without user and password. */
  readonly to: string
  readonly rows: number
  /** The receipt of the last row of both ledgers. */
  readonly receipt: string
  /** What the policy must say from now on. */
  readonly policy: string
  /** It had been moved there before. */
  readonly already: boolean
}

/** Moves the ledger that a policy names between a file and PostgreSQL. The old one is closed; the policy must name the new one. */
export async function moveLedgerFor(policyFile: string, { to, schema, owner }: MoveOptions): Promise<LedgerMove> {
  const policy = await loadPolicy(policyFile)
  const seen = readSeen(headFileOf(policy.file))
  const place = ledgerPlace(to, policy.dataset, schema)
  const moved = await moveLedger(policy.ledger, place, { owner, check: (rows) => requireSeen(rows, seen) })
  const line = place.kind === 'sqlite' ? `{ sqlite: ${place.path} }` : serverLine(to, place.schema, schema, policy)
  return {
    to: moved.to,
    rows: moved.rows,
    receipt: formatReceipt(moved.head),
    policy: `ledger: ${line}`,
    already: moved.already,
  }
}

/** A password that was typed into the address is not told back. */
function serverLine(to: string, schema: string, given: string | undefined, { dataset }: Policy): string {
  const address = to.replace(/^(\w+:\/\/[^:@/]+):[^@/]*@/, '$1@')
  return given === undefined || given === `reticent_${dataset}`
    ? `{ postgres: "${address}" }`
    : `{ postgres: "${address}", schema: ${schema} }`
}
