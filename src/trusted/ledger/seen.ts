import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { ReticentError } from '../../schema/index.ts'
import type { Head, Ledger } from './ledger.ts'
import { containsHead, formatReceipt, parseReceipt } from './receipt.ts'

/** Where the head last seen is kept: `reticent.head` beside `reticent.yaml`. */
export const headFileOf = (policyFile: string): string => `${policyFile.replace(/\.ya?ml$/i, '')}.head`

/** The head last seen; undefined where none was yet. A file that cannot be read is an error: it may hide a rollback. */
export function readSeen(file: string): Head | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unreadable(file)
  }
  const head = parseReceipt(text)
  if (!head) throw unreadable(file)
  return head
}

let written = 0

/**
 * Keeps the head, all of it or not at all, unless a later one is kept already. False when that failed, which must not fail the answer that was just paid
 * for: an older head protects against older ledgers still.
 */
export function writeSeen(file: string, head: Head): boolean {
  if (isOlder(head, file)) return true
  const draft = `${file}.${process.pid}-${written++}.new`
  try {
    const target = openSync(draft, 'wx')
    try {
      writeSync(target, `${formatReceipt(head)}\n`)
      fsyncSync(target)
    } finally {
      closeSync(target)
    }
    renameSync(draft, file)
    return true
  } catch {
    rmSync(draft, { force: true })
    return false
  }
}

/** Two that ask at the same time may come to write in the other order. */
function isOlder(head: Head, file: string): boolean {
  try {
    return (readSeen(file)?.seq ?? 0) > head.seq
  } catch {
    return false
  }
}

/** Throws `ledger-rolled-back` unless the ledger continues the one last seen. */
export async function checkSeen(ledger: Ledger, seen: Head | undefined): Promise<void> {
  if (seen && !(await containsHead(ledger, seen))) throw rolledBack(seen)
}

export const rolledBack = (seen: Head): ReticentError =>
  new ReticentError(
    'ledger-rolled-back',
    { lastSeen: formatReceipt(seen) },
    {
      message: 'this ledger does not continue the one that was last used here, so what was spent since is not in it',
      detail: `row ${seen.seq}, which was seen here before, is missing or another one`,
      hint: 'Was it restored from a backup, or is it another dataset’s? Put back the newest ledger. If that is lost, only the owner may go on: see "Backups" in docs/ledger.md.',
    },
  )

const unreadable = (file: string) =>
  new ReticentError(
    'ledger-corrupt',
    { file },
    {
      message: 'the file with the head of the ledger last seen cannot be read',
      detail: file,
      hint: 'If the owner is sure that the ledger is the newest one, the file may be deleted: the next answer writes it again.',
    },
  )
