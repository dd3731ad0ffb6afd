import type { Node, SelectStmt } from '@pgsql/types'

/** A SELECT and, where it was taken from a query that groups, what it selects of that one's rows: as DuckDB's QUALIFY does. */
export interface Select extends SelectStmt {
  readonly qualifyClause?: Node
}
