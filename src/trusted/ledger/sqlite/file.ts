import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { ReticentError } from '../../../schema/index.ts'
import { corrupt } from '../damage.ts'
import { explain } from './failure.ts'
import { applicationId, tablesVersion } from './tables.ts'

/** Looks at the head of the file before SQLite does, which would take an empty file for a database and fill it. */
export function requireLedgerFile(path: string): void {
  const header = readHeader(path)
  const text = header.toString('latin1', 0, 16)
  // Where SQLite keeps these: https://www.sqlite.org/fileformat2.html#the_database_header
  if (header.length < 100 || text !== 'SQLite format 3\0' || header.readUInt32BE(68) !== applicationId)
    throw corrupt(`${path} is not a Reticent ledger, or the beginning of it is lost`, { path })
  const version = header.readUInt32BE(60)
  if (version !== tablesVersion) {
    throw new ReticentError(
      'not-supported',
      { path, version },
      {
        message: 'the ledger was written by another version of Reticent',
        hint: 'Use the version that wrote it, or a later one.',
      },
    )
  }
  requireOneName(path)
}

function readHeader(path: string): Buffer {
  try {
    if (!statSync(path).isFile()) throw corrupt(`${path} is not a file`, { path })
    const file = openSync(path, 'r')
    try {
      const header = Buffer.alloc(100)
      return header.subarray(0, readSync(file, header))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw isMissing(error) ? missing(path) : explain(error, path)
  }
}

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

function named(path: string): { identity: string; names: number } {
  try {
    const { dev, ino, nlink } = statSync(path, { bigint: true })
    return { identity: `${dev}:${ino}`, names: Number(nlink) }
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
      message: 'the ledger file has more than one name, and under two names one budget could be spent twice',
      detail: `${path}: ${detail}`,
      hint: 'Remove the other names (`find DIR -samefile FILE` shows hard links). Into a container mount the folder of the ledger, not the file.',
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
