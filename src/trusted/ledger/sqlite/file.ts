import { readFileSync, realpathSync, statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { ReticentError } from '../../../schema/index.ts'
import { corrupt } from '../damage.ts'
import { explain } from './failure.ts'
import { applicationId, tablesVersion } from './tables.ts'

/** A file so short that SQLite would take it for an empty database, and fill it, is no ledger. */
const shortest = 100

/**
 * Looks at the file before SQLite does, without opening it: whoever closes a file gives up all POSIX locks that its process
 * has on it, also those of another thread in the middle of a commit.
 */
export function requireLedgerFile(path: string): void {
  const { isFile, size } = named(path)
  if (!isFile) throw corrupt(`${path} is not a file`, { path })
  if (size < shortest) throw notOurs(path)
  requireOneName(path)
}

/** Throws unless this is a ledger that we can read; before anything else is done with it. */
export function requireLedger(database: Database): void {
  const { name: path } = database
  if (database.pragma('application_id', { simple: true }) !== applicationId) throw notOurs(path)
  const version = Number(database.pragma('user_version', { simple: true }))
  if (version === tablesVersion) return
  throw new ReticentError(
    'not-supported',
    { path, version },
    {
      message: 'the ledger was written by another version of Reticent',
      hint: 'Use the version that wrote it, or a later one.',
    },
  )
}

const notOurs = (path: string) => corrupt(`${path} is not a Reticent ledger, or its beginning is lost`, { path })

/** Which file a path leads to, whatever its name. */
export const fileIdentity = (path: string): string => named(path).identity

/**
 * Throws unless the path still leads to the file that was opened, and is its only name. An open file lives on when it is
 * moved or replaced, and a budget spent in a file that nobody else can see would be spent twice.
 */
export function requireFile(path: string, identity: string): void {
  const now = named(path)
  if (now.names > 1) throw twoNames(path, `it has ${now.names} hard links`)
  if (now.identity === identity) return
  throw new ReticentError(
    'ledger-rolled-back',
    { path },
    {
      message: 'the ledger was replaced by another file while it was open',
      hint: 'Open it again, if the owner meant to.',
    },
  )
}

/**
 * Throws where the file has, or may have, another name. Locks are on the file itself, but SQLite looks for the journal
 * of a writer that died beside the name it was given: under another name it would read, and sell from, half a row.
 */
function requireOneName(path: string): void {
  const { names } = named(path)
  if (names > 1) throw twoNames(path, `it has ${names} hard links`)
  if (mountPoints().has(realpathSync(path))) throw twoNames(path, 'it is mounted by itself')
}

function named(path: string): { identity: string; names: number; isFile: boolean; size: number } {
  try {
    const found = statSync(path, { bigint: true })
    const { dev, ino, nlink, size } = found
    return { identity: `${dev}:${ino}`, names: Number(nlink), isFile: found.isFile(), size: Number(size) }
  } catch (error) {
    throw isMissing(error) ? missing(path) : explain(error, path)
  }
}

/** The paths that something is mounted on, as this process sees them; none where the system does not tell. */
function mountPoints(): Set<string> {
  let text: string
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return new Set()
  }
  // The fifth field; the kernel writes white space and backslashes in octal.
  const plain = (field = '') =>
    field.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
  return new Set(text.split('\n').map((line) => plain(line.split(' ')[4])))
}

const twoNames = (path: string, detail: string) =>
  new ReticentError(
    'ledger-two-names',
    { path },
    {
      message: 'the ledger file has more than one name, so its budget could be spent twice',
      detail: `${path}: ${detail}`,
      hint: 'Remove the other names (`find DIR -samefile FILE` shows hard links). In a container, mount the folder of the ledger, not the file.',
    },
  )

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const missing = (path: string) =>
  new ReticentError(
    'ledger-missing',
    { path },
    {
      message: 'there is no ledger, so there is no budget to ask from',
      detail: path,
      hint: 'The owner makes one, once, with `reticent ledger create`.',
    },
  )
