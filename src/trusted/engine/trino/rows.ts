import type { Session } from '../sql/index.ts'
import type { TrinoClient } from './client.ts'
import { unexpected } from './failure.ts'
import { type Page, type ResultColumn, reading } from './page.ts'

/** Visits the rows of a result as they come. */
export async function eachRow(client: TrinoClient, sql: string, visit: Parameters<Session['rows']>[1]): Promise<void> {
  const each = rowVisitor((values, read) => visit((column) => read[column]!(values[column])))
  await client.run(sql, each)
}

/** All rows of a result that is short. */
export async function rowsOf(client: TrinoClient, sql: string, expected: readonly string[] = []): Promise<unknown[][]> {
  const rows: unknown[][] = []
  await client.run(
    sql,
    rowVisitor((values, read) => rows.push(values.map((value, i) => read[i]!(value)))),
    expected,
  )
  return rows
}

/** Visits the rows of pages; the types of the columns come with the first page that knows them. */
function rowVisitor(visit: (values: readonly unknown[], read: readonly ((value: unknown) => unknown)[]) => void) {
  let types: readonly ResultColumn[] | undefined
  let read: ((value: unknown) => unknown)[] = []
  return ({ columns, data }: Page) => {
    if (columns && !types) {
      types = columns
      read = columns.map(({ type }) => reading(type))
    }
    for (const values of data ?? []) {
      if (!Array.isArray(values) || values.length !== read.length) throw unexpected(200)
      visit(values, read)
    }
  }
}
