import { closeSync, existsSync, fsyncSync, linkSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ReticentError } from '../../../schema/index.ts'
import type { Ledger } from '../ledger.ts'
import type { Create } from '../rows/row.ts'
import { prepareRow, Tail } from '../tail.ts'
import { explain } from './failure.ts'
import { connect, openSqliteLedger, type SqliteOptions, systemClock } from './open.ts'
import { insertRow, tables } from './tables.ts'

/**
 * Makes a ledger, readable by its owner only, since it holds the key. It is made whole under another name and then
 * linked to its own, which fails when that is taken: there is never half a ledger, and never a ledger overwritten.
 */
export async function createSqliteLedger(
  path: string,
  row: Create,
  secret: Uint8Array,
  options: SqliteOptions = {},
): Promise<Ledger> {
  refuseTaken(path)
  try {
    const workshop = mkdtempSync(`${path}.new-`)
    const draft = join(workshop, 'draft')
    try {
      closeSync(openSync(draft, 'wx', 0o600))
      await fill(draft, row, secret, options)
      await readOnce(draft, options)
      linkSync(draft, path)
      rmSync(draft)
    } finally {
      rmSync(workshop, { recursive: true, force: true })
    }
    flushFolder(dirname(path))
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? exists(path) : explain(error, path)
  }
  return openSqliteLedger(path, options)
}

/** What is left beside a ledger that was deleted counts too: SQLite would read it as a part of the new one. */
function refuseTaken(path: string): void {
  const taken = ['', '-wal', '-journal'].map((suffix) => path + suffix).find((file) => existsSync(file))
  if (taken !== undefined) throw exists(taken)
}

async function fill(draft: string, row: Create, secret: Uint8Array, options: SqliteOptions): Promise<void> {
  const ready = prepareRow(row)
  const { raw } = new Tail().next(ready.row, ready.encoded, (options.clock ?? systemClock)().toISOString())
  const database = await connect(draft, options)
  try {
    database.transaction(() => {
      database.exec(tables)
      database.prepare('INSERT INTO secrets VALUES (?)').run(secret)
      database.prepare(insertRow).run({ ...raw, parent: null })
    })()
  } finally {
    database.close()
  }
}

/** What cannot be used, for want of space beside it perhaps, shall not get the name. */
async function readOnce(draft: string, options: SqliteOptions): Promise<void> {
  const ledger = await openSqliteLedger(draft, options)
  try {
    await ledger.read(0)
  } finally {
    await ledger.close()
  }
}

/** Makes the new name itself survive a power cut. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return // has no such request
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const exists = (path: string) =>
  new ReticentError(
    'ledger-exists',
    { path },
    {
      message: 'there is a ledger already, or the remains of one; it is never overwritten',
      detail: path,
      hint: 'Use it. A new budget for the same data would be no budget at all.',
    },
  )
