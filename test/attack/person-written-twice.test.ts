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

// The attack: a person known by a number that is written in two ways, 7 and 7.0, or 0 and -0, or by a moment that is, in two time zones. Taken for
// two people by the texts, the one would count with twice the rows that the policy allows.

const folder = mkdtempSync(join(tmpdir(), 'reticent-attack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let tables = 0
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

test.each([
  ['DOUBLE', "(0, 1), ('-0.0'::DOUBLE, 2), (1, 3), (NULL, 4), (NULL, 5)"],
  ['DOUBLE[]', "([0], 1), (['-0.0'::DOUBLE], 2), ([1], 3), (NULL, 4), (NULL, 5)"],
  [
    'STRUCT(a INTERVAL)',
    "({ 'a': '1 day' }, 1), ({ 'a': '24 hours' }, 2), ({ 'a': '2 days' }, 3), (NULL, 4), (NULL, 5)",
  ],
  ['JSON', "('7', 1), ('8', 2), (NULL, 4), (NULL, 5)"],
  ["ENUM ('x', 'y')", "('x', 1), ('x', 2), ('y', 3), (NULL, 4), (NULL, 5)"],
  ['INTERVAL', "('1 day', 1), ('24 hours', 2), ('2 days', 3), (NULL, 4), (NULL, 5)"],
  [
    'TIMESTAMPTZ',
    "('2020-01-01 00:00:00+00', 1), ('2020-01-01 01:00:00+01', 2), ('2021-01-01 00:00:00+00', 3), (NULL, 4), (NULL, 5)",
  ],
])('in DuckDB: %s', async (type, rows) => {
  const path = join(folder, `${tables++}.duckdb`)
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE t (id ${type}, n INTEGER); INSERT INTO t VALUES ${rows}`)
  connection.closeSync()
  instance.closeSync()
  expect(await rowsThatCount({ kind: 'duckdb', path })).toBe(3)
})

describe.skipIf(await withoutPostgres('people known by numbers, in PostgreSQL'))('in PostgreSQL', () => {
  test.each([
    ['numeric', "('7'), ('7.0'), ('7.00'), ('8'), (NULL), (NULL)"],
    ['double precision', "('0'), ('-0'), ('8'), ('NaN'), ('NaN')"],
    ['timestamptz', "('2020-01-01 00:00+00'), ('2020-01-01 01:00+01'), ('2021-01-01'), (NULL), (NULL)"],
    ['interval', "('1 day'), ('24 hours'), ('2 days'), (NULL), (NULL)"],
    ['jsonb', `('{"id": 7}'), ('{"id": 7.0}'), ('{"id": 8}'), (NULL), (NULL)`],
    ['numrange', "('[7,8]'), ('[7.0,8]'), ('[8,9]'), (NULL), (NULL)"],
    ['numeric[]', "('{7}'), ('{7.0}'), ('{8}'), (NULL), (NULL)"],
    ['interval[]', "('{1 day}'), ('{24 hours}'), ('{2 days}'), (NULL), (NULL)"],
    ['written', "('(7)'), ('(7.0)'), ('(8)'), (NULL), (NULL)"],
    ['json', "('7'), ('8'), (NULL), (NULL)"],
  ])('%s', async (type, ids) => {
    const database = await startPostgres()
    try {
      await database.run(
        `CREATE TYPE written AS (id numeric); CREATE TABLE t AS SELECT id::${type}, 1 AS n FROM (VALUES ${ids}) AS ids(id)`,
      )
      expect(await rowsThatCount({ kind: 'postgres', url: database.url, table: 't' })).toBe(3)
    } finally {
      await database.stop()
    }
  })
})
