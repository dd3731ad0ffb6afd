import { costOf } from '../answer/index.ts'
import { toNumber } from '../numeric/index.ts'
import { loadPolicy, usage } from '../schema/index.ts'
import { zeroSpending } from '../trusted/accounting/index.ts'
import {
  containsHead,
  formatReceipt,
  type Head,
  headFileOf,
  lossOf,
  type Row,
  readSeen,
  replaceSeen,
  restoreHold,
  sameHead,
} from '../trusted/ledger/index.ts'
import { requireTerms } from './agreement.ts'

import { opened } from './owner.ts'

/** What is given up by continuing with an older copy of the ledger. */
export interface RestoredLedger {
  /** The receipt of the last row that is known to be lost. */
  readonly lost: string
  /** Where the copy ends. */
  readonly rows: number
  /** What every record is charged for the lost rows; Infinity if no ε is known to cover them. */
  readonly charged: number
  /** Including that charge. */
  readonly spent: number
  readonly cap: number
  /** The receipt of the ledger with the charge; undefined for a plan. */
  readonly receipt?: string
}

/**
 * Continues with an older copy of the ledger: charges every record for the rows that the copy is known to lack, and
 * only then replaces the head file. With `plan` it only says what it would do.
 */
export async function restoreLedger(
  policyFile: string,
  { plan = false }: { readonly plan?: boolean } = {},
): Promise<RestoredLedger> {
  const policy = await loadPolicy(policyFile)
  const file = headFileOf(policy.file)
  return opened(policy, async (ledger, book) => {
    requireTerms(policy, book)
    const seen = readSeen(file)
    if (!seen || (await containsHead(ledger, seen))) throw nothingLost(seen !== undefined)
    // The policy may state a cap that the copy does not know.
    const row = await lossOf(seen, { ledger, book }, [
      book.cap,
      book.capOf(policy.privacy.epsilon, policy.privacy.delta),
    ])
    // If a restore was interrupted before the head file was replaced, the charge has already been written.
    const isCharged = (await ledger.read(0)).some((stored) => isLossOf(stored.row, seen))
    const { head } = book
    const spent = book.spentWith([], book.cap, { held: isCharged ? zeroSpending : restoreHold(row) })
    if (!plan) {
      if (!isCharged && !(await ledger.append(row, head)))
        throw usage('the ledger was used meanwhile', 'Stop all processes that use it, then try again.')
      await book.follow()
      await replaceSeen(file, ledger, book)
    }
    return {
      lost: formatReceipt(seen),
      rows: head.seq,
      charged: costOf(restoreHold(row), book).epsilon,
      spent: costOf(spent, book).epsilon,
      cap: toNumber(book.terms.epsilon),
      ...(plan ? {} : { receipt: formatReceipt(book.head) }),
    }
  })
}

const isLossOf = (row: Row, seen: Head): boolean => row.kind === 'restore' && sameHead(row.lost, seen)

const nothingLost = (isKnown: boolean) =>
  usage(
    isKnown
      ? 'this ledger contains the last row that was recorded here, so nothing is lost'
      : 'no ledger is on record for this policy, so it is unknown what could be lost',
    isKnown ? undefined : 'If you know that rows are missing, lower the cap by what they cost: `reticent ledger cap`.',
  )
