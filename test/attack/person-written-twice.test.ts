import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { countAll } from '../../src/query/index.ts'
import { attribute, type Source, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { open } from '../../src/trusted/exact/open.ts'
import { startPostgres, withoutPostgres } from '../support/postgres.ts'

// The attack: a person known by a number that is written in two ways, 7 and 7.0, or 0 and -0. Taken for two people by the texts, the one
// would count with twice the rows that the policy allows.

const folder = mkdtempSync(join(tmpdir(), 'reticent-attack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const u = universe([attribute({ kind: 'integer', name: 'n', low: 0, high: 9, closed: false })])

async function rowsThatCount(source: Source): Promise<number> {
  const unit = { kind: 'column', column: 'id', rows: 1 } as const
  const engine = await openEngine({ source, universe: u, unit, key: new Uint8Array(32) })
  try {
    const [answer] = await (await engine.snapshot()).answer([countAll])
    return Number(open(answer!)[0])
  } finally {
    await engine.close()
  }
}

test('in DuckDB', async () => {
  const path = join(folder, 'people.duckdb')
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE t (id DOUBLE, n INTEGER);
    INSERT INTO t VALUES (0, 1), ('-0.0'::DOUBLE, 2), (1, 3), (NULL, 4), (NULL, 5)`)
  connection.closeSync()
  instance.closeSync()
  expect(await rowsThatCount({ kind: 'duckdb', path })).toBe(3)
})

describe.skipIf(await withoutPostgres('people known by numbers, in PostgreSQL'))('in PostgreSQL', () => {
  test.each([
    ['numeric', "('7'), ('7.0'), ('7.00'), ('8'), (NULL), (NULL)"],
    ['double precision', "('0'), ('-0'), ('8'), ('NaN'), ('NaN')"],
  ])('%s', async (type, ids) => {
    const database = await startPostgres()
    try {
      await database.run(`CREATE TABLE t AS SELECT id::${type}, 1 AS n FROM (VALUES ${ids}) AS ids(id)`)
      expect(await rowsThatCount({ kind: 'postgres', url: database.url, table: 't' })).toBe(3)
    } finally {
      await database.stop()
    }
  })
})
