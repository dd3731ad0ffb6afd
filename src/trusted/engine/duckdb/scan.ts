import type { DuckDBConnection } from '@duckdb/node-api'
import type { Universe } from '../../../schema/index.ts'
import { emptyHistogram, type Histogram, strides } from '../histogram.ts'
import type { PushedScan } from '../plan.ts'
import { code } from './encoded.ts'
import { measureSql } from './measure.ts'

/** Streams the rows of a result: `visit(row)` reads its columns through `at(column)`. */
async function eachRow(connection: DuckDBConnection, sql: string, visit: (at: (column: number) => unknown) => void) {
  const result = await connection.stream(sql)
  for (;;) {
    const chunk = await result.fetchChunk()
    const rows = chunk?.rowCount ?? 0
    if (!chunk || rows === 0) return
    const vectors = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnVector(i))
    for (let row = 0; row < rows; row++) visit((column) => vectors[column]!.getItem(row))
  }
}

const grouped = (columns: readonly string[]) => (columns.length > 0 ? ` GROUP BY ${columns.join(', ')}` : '')

/** GROUP BY over separate columns: DuckDB groups dictionary-encoded and small integers much faster than one product. */
export const histogramSql = (attributes: readonly number[], from: string): string => {
  const columns = attributes.map(code)
  return `SELECT ${[...columns, 'count(*)::DOUBLE'].join(', ')} FROM ${from}${grouped(columns)}`
}

export async function scanHistogram(
  connection: DuckDBConnection,
  from: string,
  attributes: readonly number[],
  u: Universe,
): Promise<Histogram> {
  const sizes = attributes.map((a) => u.attributes[a]!.size)
  const histogram = emptyHistogram(attributes, sizes)
  const steps = strides(sizes)
  await eachRow(connection, histogramSql(attributes, from), (at) => {
    let cell = 0
    for (let axis = 0; axis < steps.length; axis++) cell += (at(axis) as number) * steps[axis]!
    histogram.counts[cell] = at(steps.length) as number
  })
  return histogram
}

/** One measure alone is a WHERE, which DuckDB pushes into the scan; several are FILTERs of one scan. */
export function pushedSql({ by, measures }: PushedScan, from: string, u: Universe): string {
  const columns = by.map(code)
  const rendered = measures.map((m) => measureSql(m, u))
  const alone = rendered.length === 1
  const sums = rendered.map(({ where, value, wide }) => {
    const sum = value ? `sum(${value})` : 'count(*)'
    const some = alone || where === 'true' ? sum : `${sum} FILTER (WHERE ${where})`
    return `coalesce(${some}, 0)::${wide ? 'HUGEINT' : 'DOUBLE'}`
  })
  const filter = alone ? ` WHERE ${rendered[0]!.where}` : ''
  return `SELECT ${[...columns, ...sums].join(', ')} FROM ${from}${filter}${grouped(columns)}`
}

/** Calls `add` with the group's codes (in the order of scan.by) and each measure's sum, for every group there is. */
export async function scanPushed(
  connection: DuckDBConnection,
  from: string,
  scan: PushedScan,
  u: Universe,
  add: (codes: Int32Array, measure: number, sum: number | bigint) => void,
): Promise<void> {
  const codes = new Int32Array(scan.by.length)
  await eachRow(connection, pushedSql(scan, from, u), (at) => {
    for (let axis = 0; axis < codes.length; axis++) codes[axis] = at(axis) as number
    for (let m = 0; m < scan.measures.length; m++) add(codes, m, at(codes.length + m) as number | bigint)
  })
}
