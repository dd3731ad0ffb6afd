import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { evaluateOnDomain } from '../../src/query/domain-sql/index.ts'
import { MarginalList } from '../../src/query/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'
import { connect } from '../../src/trusted/engine/duckdb/session.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'

// The attack: something fails while DuckDB streams a result, for want of memory or by a record that a view cannot compute. Its driver ends
// the stream as if it were complete: counts of some records would pass for counts of all, and an expression would be NULL
// on the values that it did not come to.

const folder = mkdtempSync(join(tmpdir(), 'reticent-attack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.useRealTimers())

const records = 400_000
const failing = (columns: string) =>
  `SELECT ${columns} FROM range(${records}) r(i) WHERE CASE WHEN i = ${records - 1} THEN error('late') ELSE true END`

test('records that are streamed are all there, or it fails', async () => {
  const session = await connect()
  try {
    const visited = (sql: string) => {
      let rows = 0
      const add = (chunk: { readonly rows: number }) => {
        rows += chunk.rows
      }
      return session.chunks(sql, add).then(() => rows)
    }
    expect(await visited(`SELECT i::INTEGER FROM range(${records}) r(i)`)).toBe(records)
    await expect(visited(failing('i::INTEGER'))).rejects.toThrow()
  } finally {
    await session.close()
  }
})

test('marginals of a view that fails in the middle are not told', async () => {
  const path = join(folder, 'one.duckdb')
  const instance = await DuckDBInstance.create(path)
  instance.closeSync()
  const names = Array.from({ length: 24 }, (_, i) => `b${i}`)
  const u = universe(names.map((name) => attribute({ kind: 'boolean', name, closed: true })))
  const axes = names.flatMap((_, i) => names.slice(i + 1).flatMap((_, j) => [i, i + 1 + j]))
  const pairs = new MarginalList(names, 2, axes)
  const sql = failing(names.map((name, i) => `(i >> ${i % 8}) % 2 = 1 AS ${name}`).join(', '))
  const engine = await openEngine({
    source: { kind: 'duckdb', path, sql },
    universe: u,
    unit: { kind: 'row' },
    key: new Uint8Array(32),
  })
  try {
    const snapshot = await engine.snapshot()
    await expect(snapshot.marginals!(pairs)).rejects.toMatchObject({ code: 'engine-failed' })
  } finally {
    await engine.close()
  }
})

test('an expression that takes too long is refused, not cut off', async () => {
  const x = attribute({ kind: 'integer', name: 'x', low: 0, high: 49_998, closed: false })
  await evaluateOnDomain({ sql: '1', attributes: [], checks: [] })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const table = evaluateOnDomain({ sql: "length(rpad(a0.v::VARCHAR, 100, 'x'))", attributes: [x], checks: [] })
  const refused = expect(table).rejects.toMatchObject({ code: 'sql-unsupported' })
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(10_000)
  await refused
})
