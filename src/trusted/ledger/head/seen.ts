import { addSpending } from '../../accounting/index.ts'
import type { Book } from '../book.ts'
import type { Head, Ledger, StoredRow } from '../ledger.ts'
import { containsHead, rolledBack } from '../receipt.ts'
import { type Mark, readHeadFile, type Seen, writeHeadFile } from './head-file.ts'

/** Where the head last seen is kept: `reticent.yaml.head` beside `reticent.yaml`. */
export const headFileOf = (policyFile: string): string => `${policyFile}.head`

/** Older versions kept it in `reticent.head`, for `reticent.yaml` and for `reticent.yml`. */
const olderFileOf = (file: string): string => file.replace(/\.ya?ml\.head$/i, '.head')

/** The head last seen; undefined where none was yet. A file that cannot be read is an error: it may hide a rollback. */
export const readSeen = (file: string): Seen | undefined => readHeadFile(file) ?? readHeadFile(olderFileOf(file))

/**
 * Keeps how far the ledger has come, unless a head is kept already that is row `needed` or a later one. False where that
 * failed, which must not fail the answer that was just paid for: an older head protects against older ledgers still. Never in
 * the place of a head that this ledger does not contain, or of one that cannot be read; and under the ledger's own lock, so
 * that of two that write at once the later head stays.
 */
export async function keepSeen(file: string, ledger: Ledger, book: Book, needed = book.head.seq): Promise<boolean> {
  try {
    if ((readSeen(file)?.seq ?? 0) >= needed) return true
    const isKept = await ledger
      .alone(
        (has) => {
          const { head } = book
          if (!has(head)) return undefined
          const seen = readSeen(file)
          if (seen && !has(seen)) return false
          if (!seen || seen.seq < needed) {
            const newest = seen && { seq: seen.seq, hash: seen.hash, billed: book.billedAfter(seen.seq) }
            const marks = newest ? thinned([newest, ...seen.marks], head) : []
            writeHeadFile(file, { ...head, spent: spentIn(book), marks })
          }
          return true
        },
        // Who waited for many writes the newest head, for those behind, too.
        () => book.follow('known'),
      )
      .catch(() => undefined)
    return isKept ?? keepLost(file, book)
  } catch {
    return false
  }
}

/**
 * For a ledger that was replaced, moved or cut off since something was paid for in it: what comes in its place may lack that
 * payment. Whether the head kept before belongs to it is unknown, so no price is said to lie between the two.
 */
function keepLost(file: string, book: Book): boolean {
  const seen = readSeen(file)
  if (!seen || seen.seq < book.head.seq) writeHeadFile(file, { ...book.head, spent: spentIn(book), marks: [] })
  return true
}

/** Puts this ledger's head in the place of whatever is kept: for the owner, who has accounted for what it lacks. */
export async function replaceSeen(file: string, ledger: Ledger, book: Book): Promise<void> {
  const spent = spentIn(book)
  await ledger.alone(() => writeHeadFile(file, { ...book.head, spent, marks: [] }))
}

function spentIn(book: Book): NonNullable<Seen['spent']> {
  const { epsilon, rho } = book.spent()
  return { epsilon, rho: book.cap.rho === null ? null : rho }
}

/** One mark for each doubling of the distance from the head, the oldest: so there are few, and one not far before any row. */
function thinned(marks: readonly Mark[], head: Head): Mark[] {
  const kept: Mark[] = []
  const age = (mark: Mark) => Math.floor(Math.log2(head.seq - mark.seq))
  for (const mark of marks) {
    const newer = kept.at(-1)
    if (newer && age(newer) === age(mark)) kept.pop()
    const billed = newer && age(newer) === age(mark) ? addSpending(newer.billed, mark.billed) : mark.billed
    kept.push({ ...mark, billed })
  }
  return kept
}

/** Throws `ledger-rolled-back` unless the ledger continues the one last seen. */
export async function checkSeen(ledger: Ledger, seen: Head | undefined): Promise<void> {
  if (seen && !(await containsHead(ledger, seen))) throw rolledBack(seen)
}

/** The same for the rows of a ledger, all of them. */
export function requireSeen(rows: readonly StoredRow[], seen: Head | undefined): void {
  if (seen && rows[seen.seq - 1]?.hash !== seen.hash) throw rolledBack(seen)
}
