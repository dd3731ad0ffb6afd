import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect } from 'vitest'
import { toNumber } from '../../src/numeric/index.ts'
import { arrange, axisSizes, groupOf, type Key, type LinearQuery, parseSql, weightAt } from '../../src/query/index.ts'
import { columnsFor, draws, people, sample } from './sql-statements.ts'

const draw = draws(20)
/** Rows of codes; enough that most groups of one attribute have some, few enough that pairs often have none. */
const rows = Array.from({ length: 120 }, () => people.attributes.map((a) => draw(a.size)))

let instance: DuckDBInstance
let connection: Awaited<ReturnType<DuckDBInstance['connect']>>
beforeAll(async () => {
  instance = await DuckDBInstance.create()
  connection = await instance.connect()
  const columns = people.attributes.flatMap((a, i) => columnsFor(a).map((c) => ({ ...c, i })))
  // Rows in the same order on every run.
  await connection.run('SET threads = 1')
  await connection.run("SET default_null_order = 'nulls_last_on_asc_first_on_desc'")
  // Its optimiser (1.5) makes date_trunc('year', d) = DATE '2020-06-01' false, not NULL, where d is NULL.
  await connection.run('PRAGMA disable_optimizer')
  await connection.run(`CREATE TABLE people (${columns.map((c) => `"${c.name}" ${c.type}`).join(', ')})`)
  const literals = rows.map((row) => `(${columns.map(({ literal, i }) => literal(draw, row[i]!)).join(', ')})`)
  await connection.run(`INSERT INTO people VALUES ${literals.join(', ')}`)
})
afterAll(() => connection.closeSync())

/** The exact answers of a query, per group, in the data's units: by the definition of a linear query. */
function exactly(query: LinearQuery): Float64Array {
  const sizes = axisSizes(query, people)
  const sums = new Float64Array(sizes.reduce((n, size) => n * size, 1))
  for (const row of rows) {
    const groups = query.by.map((g) => groupOf(g, row[people.index.get(g.attribute)!]!))
    if (groups.some((g) => g < 0)) continue
    const at = groups.reduce((index, g, i) => index * sizes[i]! + g, 0)
    sums[at]! += weightAt(query, people, row)
  }
  return sums.map((sum) => sum * toNumber(query.step))
}

/** What DuckDB prints, as our keys: numbers, texts, booleans, ISO dates. */
function plain(value: unknown): Key {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value)
  const text = String(value)
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.slice(0, 10)
}

/**
 * Doubles of both sides are sums over 120 rows of values below 10^4, combined by a few operations: 10^-9 relative is
 * far above their rounding, far below any wrong row. Differences of variances near 0 need the absolute part.
 */
const close = (a: Key, b: Key) =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b)) || (Number.isNaN(a) && Number.isNaN(b))
    : a === b

/** Whether a statement was compared; some have bounds that no cell has, and are refused. */
export async function agree(seed: number, of = sample): Promise<boolean> {
  const { ours, duckdb, ordered } = of(draws(seed))
  const statement = await parseSql(ours, { dataset: 'people', universe: people }).catch((error) => {
    if (error.code === 'not-an-edge' || error.code === 'too-many-terms') return undefined
    throw error
  })
  if (!statement) return false
  const reader = await connection.runAndReadAll(duckdb)
  const told = reader.getRows().map((row) => row.map(plain))
  const all = arrange(statement, statement.parts.map(exactly))
  // Groups without rows are in our result alone, but for totals; the last column counts rows.
  const counted = (table: readonly (readonly Key[])[]) =>
    table.filter((cells) => statement.axes.length === 0 || cells.at(-1) !== 0)
  const [actual, expected] = [counted(all.map((row) => row.cells)), counted(told)]
  const sorted = (table: readonly (readonly Key[])[]) =>
    // A total's keys are NULL, as those of a group may be: its count tells them apart, or else its other numbers.
    table.map((row) => {
      const texts = row.map((cell) => (typeof cell === 'number' ? cell.toPrecision(6) : String(cell)))
      return [...texts.slice(0, statement.axes.length), texts.at(-1), ...texts].join('|')
    })
  const order = (table: readonly (readonly Key[])[]) => {
    if (ordered) return table
    const names = sorted(table)
    return [...table.keys()].sort((a, b) => (names[a]! < names[b]! ? -1 : 1)).map((i) => table[i]!)
  }
  const [left, right] = [order(actual), order(expected)]
  const same =
    left.length === right.length && left.every((row, i) => row.every((cell, j) => close(cell, right[i]![j]!)))
  if (!same) expect({ seed, ours, duckdb, rows: left }).toEqual({ seed, ours, duckdb, rows: right })
  return true
}

/** How many of the first so many random statements were compared. */
export async function compared(first: number, of = sample): Promise<number> {
  let found = 0
  for (let seed = 1; seed <= first; seed++) if (await agree(seed, of)) found++
  return found
}
