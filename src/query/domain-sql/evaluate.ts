import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api'
import { type Attribute, problem } from '../../schema/index.ts'
import { pointsOf, valuesTable } from './domain.ts'
import { withEngine } from './engine.ts'

/** SQL over the columns of some attributes, to be computed once for every combination of their codes. */
interface DomainExpression {
  /** DuckDB's SQL; the value of the attribute numbered i is a{i}.v, the ends of its bin are a{i}.v0 and a{i}.v1. */
  readonly sql: string
  /** Those that it mentions, in the order of the cells: the last one runs fastest. */
  readonly attributes: readonly Attribute[]
  /** Conditions that must hold at every cell, else it is told as split. */
  readonly checks: readonly string[]
}

/** What an expression is at every cell. */
export interface DomainTable {
  /** The values that occur, as DuckDB prints them. */
  readonly values: readonly string[]
  /** By cell the place of its value among them; -1 is NULL. */
  readonly places: Int32Array
  /** Number of cells where computing it failed, which are NULL. */
  readonly failures: number
  /** The first cell on which it is not one value, or a check does not hold. */
  readonly split?: number
}

export const columnOf = (i: number, end: '' | '0' | '1' = ''): string => `a${i}.v${end}`

/** Kept by expression and domains: the same question comes again, in a plan and then in the purchase. */
const kept = new Map<string, { readonly table: Promise<DomainTable>; cells: number }>()
/** Cells of all that are kept, four bytes each; a value that occurs counts as this many, as a text of its own. */
const mostCells = 4_000_000
const cellsOfValue = 16

export function evaluateOnDomain(expression: DomainExpression): Promise<DomainTable> {
  const key = JSON.stringify([expression.sql, expression.checks, expression.attributes], (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  const known = kept.get(key)
  if (known) return known.table
  const table = withEngine((connection) => evaluate(connection, expression))
  const entry = { table, cells: 1000 + expression.attributes.reduce((n, a) => n * a.size, 1) }
  kept.set(key, entry)
  forgetOldest()
  table.then(
    ({ values }) => {
      entry.cells += cellsOfValue * values.length
      forgetOldest()
    },
    () => kept.delete(key),
  )
  return table
}

/** Until what is kept has room. */
function forgetOldest(): void {
  let total = kept.values().reduce((n, { cells }) => n + cells, 0)
  for (const [oldest, { cells }] of kept) {
    if (total <= mostCells) break
    kept.delete(oldest)
    total -= cells
  }
}

async function evaluate(connection: DuckDBConnection, e: DomainExpression): Promise<DomainTable> {
  const cell = e.attributes.reduce((sql, a, i) => `(${sql}) * ${a.size} + a${i}.c`, '0')
  const from = e.attributes.map((a, i) => `(${valuesTable(a)}) a${i}`).join(', ')
  const holds = e.checks.map((check) => `coalesce(TRY(${check}), true)`).join(' AND ') || 'true'
  const result = await connection.stream(
    `SELECT (${cell})::INTEGER, TRY((${e.sql})::VARCHAR), TRY((${e.sql}) IS NULL) IS NULL, ${holds} ${from ? `FROM ${from}` : ''}`,
  )
  return tableOf(e.attributes, result)
}

/** Characters of all values that occur, together. */
const mostText = 2 ** 26

/**
 * Piece by piece: a million texts at once would be more than all else. A stream that failed ends as one that is complete, so the rows are
 * counted: a part of the domain must not pass for all of it.
 */
async function tableOf(attributes: readonly Attribute[], result: DuckDBResult): Promise<DomainTable> {
  const unseen = -2
  const places = new Int32Array(attributes.reduce((n, a) => n * a.size, 1)).fill(unseen)
  const failures = new Set<number>()
  const values = new Map<string, number>()
  let split = Number.POSITIVE_INFINITY
  let [rows, length] = [0, 0]
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const [cells, texts, failed, held] = [0, 1, 2, 3].map((column) => chunk!.getColumnValues(column)) as [
      number[],
      (string | null)[],
      boolean[],
      boolean[],
    ]
    rows += cells.length
    for (const [i, cell] of cells.entries()) {
      const text = texts[i]!
      let place = text === null ? -1 : values.get(text)
      if (place === undefined) {
        place = values.size
        values.set(text!, place)
        length += text!.length
      }
      if (!held[i] || (places[cell] !== unseen && places[cell] !== place)) split = Math.min(split, cell)
      places[cell] = place
      if (failed[i]) failures.add(cell)
    }
    if (length > mostText) throw problem('sql-unsupported', 'the values of an expression are too long together')
  }
  if (rows !== attributes.reduce((n, a) => n * pointsOf(a), 1))
    throw problem('sql-unsupported', 'an expression takes too much memory to compute')
  return {
    values: [...values.keys()],
    places,
    failures: failures.size,
    ...(Number.isFinite(split) && { split }),
  }
}
