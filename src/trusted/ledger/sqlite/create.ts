import { closeSync, existsSync, fsyncSync, linkSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ReticentError } from '../../../schema/index.ts'
import type { RawRow } from '../chain.ts'
import { type Contents, type LastRows, newContents, parentOf } from '../contents.ts'
import type { Ledger } from '../ledger.ts'
import type { Create } from '../rows/row.ts'
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
  await makeSqliteLedger(path, newContents(row, secret, (options.clock ?? systemClock)().toISOString()), options)
  return openSqliteLedger(path, options)
}

/** The ledger appears after `lastRows`. */
export async function makeSqliteLedger(
  path: string,
  contents: Contents,
  { lastRows, ...options }: SqliteOptions & { readonly lastRows?: LastRows } = {},
): Promise<void> {
  refuseTaken(path)
  let isMade = false
  try {
    const workshop = mkdtempSync(path + workshopEnding)
    const draft = draftIn(workshop)
    try {
      closeSync(openSync(draft, 'wx', 0o600))
      await fill(draft, contents, options)
      await readOnce(draft, options)
      if (lastRows) await insertAll(draft, await lastRows(), options)
      linkSync(draft, path)
      isMade = true
      rmSync(draft, { force: true })
    } finally {
      rmSync(workshop, { recursive: true, force: true })
    }
    flushFolder(dirname(path))
    forgetDrafts(path)
  } catch (error) {
    // Whoever was faster may have taken this draft away, too.
    throw existsSync(path) && !isMade ? exists(path) : explain(error, path)
  }
}

/** Throws where a ledger cannot be made: its workshop is made, and removed. */
export function rehearseSqliteLedger(path: string): void {
  refuseTaken(path)
  try {
    rmSync(mkdtempSync(path + workshopEnding), { recursive: true })
  } catch (error) {
    throw explain(error, path)
  }
}

const workshopEnding = '.new-'
const draftIn = (workshop: string) => join(workshop, 'draft')

/**
 * Takes away the drafts of makers that were killed: they hold a key, and one of them may be a second name of this ledger. Once
 * the ledger has its name, no draft can ever get it.
 */
export function forgetDrafts(path: string): void {
  if (!existsSync(path)) return
  const folder = dirname(path)
  const start = basename(path) + workshopEnding
  const isWorkshop = (name: string) => name.startsWith(start) && /^\w{6}$/.test(name.slice(start.length))
  for (const workshop of readdirSync(folder).filter(isWorkshop)) {
    try {
      const left = readdirSync(join(folder, workshop))
      if (left.every((name) => /^draft(-journal)?$/.test(name))) rmSync(join(folder, workshop), { recursive: true })
    } catch {
      // Not a folder, or not ours to take away: whoever finds a second name there will say so.
    }
  }
}

/** What is left beside a ledger that was deleted counts too: SQLite would read it as a part of the new one. */
function refuseTaken(path: string): void {
  const taken = ['', '-wal', '-journal'].map((suffix) => path + suffix).find((file) => existsSync(file))
  if (taken !== undefined) throw exists(taken)
}

async function fill(draft: string, { rows, secret }: Contents, options: SqliteOptions): Promise<void> {
  const database = await connect(draft, options)
  try {
    database.transaction(() => {
      database.exec(tables)
      database.prepare('INSERT INTO secrets VALUES (?)').run(secret)
    })()
  } finally {
    database.close()
  }
  await insertAll(draft, rows, options)
}

async function insertAll(draft: string, rows: readonly RawRow[], options: SqliteOptions): Promise<void> {
  const database = await connect(draft, options)
  try {
    const insert = database.prepare(insertRow)
    database.transaction(() => {
      for (const raw of rows) insert.run({ ...raw, parent: parentOf(raw) })
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
      message: 'there is already a ledger, or the remains of one; it is never overwritten',
      detail: path,
      hint: 'Use it. A new budget for the same data would be no budget at all.',
    },
  )
