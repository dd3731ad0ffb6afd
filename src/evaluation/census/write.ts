import { type DuckDBDataChunk, DuckDBInstance, DuckDBTableFunction, ENUM, UTINYINT } from '@duckdb/node-api'
import { censusAttributes } from './attributes.ts'
import { generateCensus } from './generate.ts'

/** Rows drawn at a time: enough to hide the cost of a call, few enough to stay in the processor's cache. */
const batch = 2 ** 16
/** The most rows that DuckDB takes in one chunk. */
const chunkRows = 2048

/** What stands in the file for each code: labels as text, age as a number. */
const contents = censusAttributes.map((a) =>
  a.kind === 'values' ? a.values : Array.from({ length: a.size }, (_, n) => n),
)
/** A file gets text from an ENUM, with the same dictionary in every row group. */
const types = censusAttributes.map((a) => (a.kind === 'values' ? ENUM(a.values) : UTINYINT))

/** Fills DuckDB's chunks with the rows of the table, in order; an empty one ends it. */
function filler(rows: number, seed: number): (chunk: DuckDBDataChunk) => void {
  let from = 0
  let drawn = generateCensus({ rows: 0, seed })
  let used = 0
  return (chunk) => {
    if (used === drawn.rows) {
      from += drawn.rows
      drawn = generateCensus({ rows: Math.min(batch, rows - from), seed, from })
      used = 0
    }
    const count = Math.min(chunkRows, drawn.rows - used)
    chunk.rowCount = count
    for (let c = 0; c < types.length && count > 0; c++) {
      const vector = chunk.getColumnVector(c)
      const column = drawn.columns[c]!
      for (let i = 0; i < count; i++) vector.setItem(i, contents[c]![column[used + i]!]!)
      vector.flush()
    }
    used += count
  }
}

/**
 * Writes a synthetic census to a file: Parquet, or CSV where the path ends in .csv. Rows stream through in order, so
 * that memory does not grow with their number, and a seed gives the same rows in either format.
 */
export async function writeCensus({ rows, seed, path }: { rows: number; seed: number; path: string }): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const fill = filler(rows, seed)
    connection.registerTableFunction(
      DuckDBTableFunction.create({
        name: 'census',
        bindFunction: (info) => {
          for (const [i, a] of censusAttributes.entries()) info.addResultColumn(a.name, types[i]!)
        },
        initFunction: (info) => info.setMaxThreads(1),
        mainFunction: (_, chunk) => fill(chunk),
      }),
    )
    const format = path.endsWith('.csv') ? 'FORMAT csv, HEADER' : 'FORMAT parquet'
    await connection.run(`COPY (FROM census()) TO '${path.replaceAll("'", "''")}' (${format})`)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
