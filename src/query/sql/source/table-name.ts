import type { SelectStmt } from '@pgsql/types'
import { nearest } from '../../../schema/index.ts'
import { insteadOf } from '../alternatives.ts'
import { fault, matchName, quoteName, unsupported } from '../scope.ts'

/** Where PostgreSQL and DuckDB put tables. */
const ownSchemas = ['public', 'main']

/** Checks that FROM names the dataset and nothing else; the name by which its attributes may be qualified. */
export function tableName(text: string, select: SelectStmt, dataset: string): string {
  const scope = { text }
  const [table, another] = select.fromClause ?? []
  const hint = `Write FROM ${quoteName(dataset)}.`
  if (!table || !('RangeVar' in table)) throw unsupported(scope, undefined, 'the statement has no FROM', hint)
  if (another) throw unsupported(scope, another, 'a question can be about one table only', hint)
  const { relname = '', alias, inh, schemaname = 'public' } = table.RangeVar
  if (!inh) throw unsupported(scope, table, 'ONLY is not supported', hint)
  if (!ownSchemas.includes(schemaname))
    throw unsupported(scope, table, 'a table of another schema is not supported', insteadOf('schemaname'))
  if (matchName(relname, [dataset]).length === 0) {
    const near = nearest(relname, [dataset])
    throw fault(
      scope,
      table,
      'unknown-name',
      `there is no table ${JSON.stringify(relname)}`,
      near ? `Did you mean ${quoteName(near)}?` : `The dataset is called ${quoteName(dataset)}.`,
      { name: relname, ...(near && { nearest: near }) },
    )
  }
  return alias?.aliasname ?? dataset
}
