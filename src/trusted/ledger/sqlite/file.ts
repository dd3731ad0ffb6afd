import { closeSync, openSync, readSync, statSync } from 'node:fs'
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
export function fileIdentity(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}

/**
 * Throws unless the path still leads to the file that was opened. An open file lives on when it is moved or replaced,
 * and a budget spent in a file that nobody else can see would be spent twice.
 */
export function requireFile(path: string, identity: string): void {
  let now: string
  try {
    now = fileIdentity(path)
  } catch (error) {
    throw isMissing(error) ? missing(path) : error
  }
  if (now === identity) return
  throw new ReticentError(
    'ledger-rolled-back',
    { path },
    {
      message: 'the ledger was replaced by another file while it was open',
      hint: 'Open it again, if the owner meant to.',
    },
  )
}

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
