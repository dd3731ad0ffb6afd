import { ReticentError, type Source, stopIfAborted } from '../../../schema/index.ts'
import { databaseOf } from '../open.ts'
import {
  countsAgree,
  type Database,
  type Dialect,
  double,
  type FileReport,
  type Look,
  type Session,
} from '../sql/index.ts'

/** Numbers of a single row, by their names. */
type Numbers = { readonly [name: string]: number }

/** The source as the engine reads it, open for its owner. */
export interface Inspected extends Session {
  readonly dialect: Dialect
  /** One row of expressions over a relation, all of them numbers. */
  numbers(expressions: { readonly [name: string]: string }, from?: string): Promise<Numbers>
  /** The same over a copy of the records, which is faster to read. */
  kept(): Promise<Inspected>
}

/**
 * Opens the source as the engine does and lets the work look at it; undefined where not every record can be read. What is
 * wrong with its text files is told in any case. Aborted, it has a server stop what it is doing, and throws `interrupted`.
 */
export async function inspected<T>(
  source: Source,
  work: (inspected: Inspected) => Promise<T>,
  signal?: AbortSignal,
): Promise<Found<T>> {
  const database = await databaseOf(source)
  let session: Session | undefined
  const stop = () => {
    database.cancel?.()
    session?.cancel?.()
  }
  signal?.addEventListener('abort', stop)
  const open = async (look: Look) => {
    session = await database.open(look)
    return stoppable(session, signal)
  }
  try {
    const found = await lookedAt(database, open, work)
    stopIfAborted(signal)
    return found
  } catch (error) {
    stopIfAborted(signal)
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

interface Found<T> {
  readonly files: readonly FileReport[]
  readonly changes: string
  readonly found: T | undefined
}

/** Begins no statement once it is aborted. */
const stoppable = (session: Session, signal?: AbortSignal): Session => ({
  ...session,
  rows: async (sql, visit) => {
    stopIfAborted(signal)
    await session.rows(sql, visit)
  },
})

async function lookedAt<T>(
  database: Database,
  open: (look: Look) => Promise<Session>,
  work: (inspected: Inspected) => Promise<T>,
): Promise<Found<T>> {
  // Nothing is kept of this look, so its fingerprint needs no secret.
  const look = await database.look(new Uint8Array(32))
  const files = await database.reports(look)
  const changes = database.changes?.(look) ?? ''
  if (files.some((f) => !f.wellFormed)) return { files, changes, found: undefined }
  const session = await open(look)
  try {
    if (!(await countsAgree(session, files))) return { files, changes, found: undefined }
    return { files, changes, found: await work(inspectedIn(session, database.dialect)) }
  } catch (error) {
    if (error instanceof ReticentError) throw error
    return { files, changes, found: undefined }
  } finally {
    await session.close()
  }
}

const inspectedIn = (session: Session, dialect: Dialect): Inspected => ({
  ...session,
  dialect,
  numbers: (expressions, from = session.records) => oneRow(session, expressions, from),
  kept: async () => {
    const records = await session.keep('kept', `SELECT * FROM ${session.records}`)
    return inspectedIn({ ...session, records }, dialect)
  },
})

async function oneRow(session: Session, expressions: { readonly [name: string]: string }, from: string) {
  const names = Object.keys(expressions)
  let row: [string, number][] = []
  await session.rows(`SELECT ${names.map((n) => double(expressions[n]!)).join(', ')} FROM ${from}`, (at) => {
    row = names.map((n, i) => [n, Number(at(i) ?? 0)])
  })
  return Object.fromEntries(row)
}
