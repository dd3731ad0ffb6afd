import { ReticentError, type Source } from '../../../schema/index.ts'
import { databaseOf } from '../open.ts'
import { countsAgree, type Dialect, double, type FileReport, type Session } from '../sql/index.ts'

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
 * wrong with its text files is told in any case.
 */
export async function inspected<T>(
  source: Source,
  work: (inspected: Inspected) => Promise<T>,
): Promise<{ files: readonly FileReport[]; changes: string; found: T | undefined }> {
  const database = await databaseOf(source)
  // Nothing is kept of this look, so its fingerprint needs no secret.
  const look = await database.look(new Uint8Array(32))
  const files = await database.reports(look)
  const changes = database.changes?.(look) ?? ''
  if (files.some((f) => !f.wellFormed)) return { files, changes, found: undefined }
  const session = await database.open(look)
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
