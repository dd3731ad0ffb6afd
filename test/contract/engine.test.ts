import { memoryEngine } from '../../src/evaluation/index.ts'
import { engineContract } from './engine.ts'
import { through } from './engine-files.ts'
import { writeCsv, writeDatabase } from './engine-table.ts'

const text = { noTypes: 'a text file has no types', noEmptyText: 'an empty field is NULL in a text file' }

engineContract('memory', async ({ rows }, setting) => ({ engine: memoryEngine({ rows, ...setting }) }), {
  fixed: 'records in memory never change',
})
engineContract('duckdb over csv', through('csv', writeCsv), text)
engineContract('duckdb over a DuckDB file', through('duckdb', writeDatabase))
// Parquet, which differs in nothing but what DuckDB does, is in the long tests.
