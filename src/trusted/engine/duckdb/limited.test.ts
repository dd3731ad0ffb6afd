import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { marginal } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { open } from '../../exact/open.ts'
import { openEngine } from '../index.ts'
import { limitedSql } from '../sql/encoding/records.ts'
import { columnsOf } from './database.ts'
import { duckdb } from './dialect.ts'
import { connect } from './session.ts'
import { records } from './views.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-limited-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const u = universe([attribute({ kind: 'integer', name: 'n', low: 0, high: 2, closed: true })])
const unit = { kind: 'column', column: 'who', rows: 2 } as const

async function opened(name: string, text: string) {
  const path = join(folder, name)
  writeFileSync(path, text)
  const engine = await openEngine({
    source: { kind: 'duckdb', path },
    universe: u,
    unit,
    key: new Uint8Array(32),
  })
  const ns = async () => [...(open((await (await engine.snapshot()).answer([marginal(['n'])]))[0]!) as Float64Array)]
  return { path, engine, ns }
}

test('a choice belongs to the data that it was made from', async () => {
  const { path, engine, ns } = await opened('twice.csv', 'who,n\na,1\na,1\na,1\n,2\n')
  expect(await ns()).toEqual([0, 2, 1])
  const first = await engine.snapshot()
  writeFileSync(path, 'who,n\na,2\nb,2\n')
  expect(await ns()).toEqual([0, 0, 2])
  await expect(first.answer([marginal(['n'])])).rejects.toMatchObject({ code: 'source-changed' })
  await engine.close()
})

// The aggregate that DuckDB would make of it fails here on people of their own; docs/engines.md has larger tables.
for (const [kind, who, counted] of [
  ['people of their own', 'uuid()::VARCHAR', 400_000],
  ['one person', "'p'", 2],
  ['no person', 'NULL::VARCHAR', 2],
] as const) {
  test(`the choice among records of ${kind} stays within the memory that there is`, async () => {
    const session = await connect()
    const { connection } = session
    await connection.run(`CREATE TEMP TABLE records AS SELECT ${who} AS who, range % 3 AS n FROM range(400000)`)
    await connection.run("SET memory_limit = '64MB'")
    const choice = limitedSql(
      { dialect: duckdb, universe: u, source: { records, columns: await columnsOf(session) } },
      unit,
      'key',
    )
    await connection.run(`CREATE TEMP TABLE limited AS ${choice}`)
    const [[count]] = (await connection.runAndReadAll('SELECT count(*)::DOUBLE FROM limited')).getRowsJS() as [[number]]
    expect(count).toBe(counted)
    await session.close()
  })
}
