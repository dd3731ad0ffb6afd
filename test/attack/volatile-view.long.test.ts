import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { attribute, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { inspect } from '../../src/trusted/engine/inspect/index.ts'

// The attack: an owner's `sql:` that gives other rows each time it is read. Its fingerprint stays, so answers about
// different tables would be charged as answers about one, and a refinement would be of another number.

const folder = mkdtempSync(join(tmpdir(), 'reticent-attack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const text = join(folder, 'people.csv')
writeFileSync(text, 'n,s,t\n1,a,2020-01-01\n2,b,2021-01-01\n')
const database = join(folder, 'people.duckdb')
const instance = await DuckDBInstance.create(database)
const connection = await instance.connect()
await connection.run(`
  CREATE TABLE source AS SELECT 1 AS n, 'a' AS s, TIMESTAMP '2020-01-01' AS t, [1, 2] AS l;
  CREATE VIEW luck AS SELECT n, random() AS r FROM source;
  CREATE VIEW adults AS SELECT * FROM source WHERE n > 0;
  CREATE MACRO lucky(x) AS x + random();
  CREATE MACRO plus(x) AS x + 1;
  CREATE TABLE computed (n INTEGER, r DOUBLE GENERATED ALWAYS AS (random()));
  CREATE SEQUENCE numbers`)
connection.closeSync()
instance.closeSync()

const u = universe([attribute({ kind: 'integer', name: 'n', low: 0, high: 9, closed: false })])
const options = { universe: u, unit: { kind: 'row' }, key: new Uint8Array(32) } as const
async function opened(path: string, sql?: string, table?: string): Promise<string> {
  const engine = await openEngine({ source: { kind: 'duckdb', path, sql, table }, ...options })
  try {
    return await (await engine.snapshot()).full()
  } finally {
    await engine.close()
  }
}

const volatile: { [what: string]: string } = {
  'calls random()': 'SELECT n FROM source WHERE random() < 0.5',
  'calls now()': 'SELECT n FROM source WHERE CAST(t AS TIMESTAMP) < now()::TIMESTAMP',
  'calls current_date()': 'SELECT n FROM source WHERE CAST(t AS DATE) < current_date',
  'calls current_localtimestamp()': 'SELECT n FROM source WHERE CAST(t AS TIMESTAMP) < localtimestamp',
  'calls age()': "SELECT n FROM source WHERE age(CAST(t AS TIMESTAMP)) > INTERVAL '6 years'",
  'calls uuid()': "SELECT n FROM source WHERE uuid()::VARCHAR < '8'",
  'takes a sample': 'SELECT n FROM source TABLESAMPLE 50%',
  'has a LIMIT without an ORDER BY': 'SELECT n FROM source LIMIT 1',
  'has a DISTINCT ON without an ORDER BY': 'SELECT DISTINCT ON (s) n FROM source',
  'calls row_number() without an ORDER BY': 'SELECT n FROM source QUALIFY row_number() OVER (PARTITION BY s) = 1',
  'calls sum() without an ORDER BY': 'SELECT sum(n::INT) OVER (ROWS 1 PRECEDING) AS n FROM source',
  'calls first() without an ORDER BY': 'SELECT first(n) AS n FROM source GROUP BY s',
  'calls any_value() without an ORDER BY': 'SELECT any_value(n) AS n FROM source GROUP BY s',
  'calls reservoir_quantile()': 'SELECT reservoir_quantile(n::INT, 0.5) AS n FROM source',
  'joins rows by their positions': 'SELECT a.n FROM source a POSITIONAL JOIN source b',
  'reads something other than its source': `SELECT n FROM read_csv('${text}')`,
}

describe.each([
  ['a text file', text],
  ['a DuckDB file', database],
])('over %s it is refused where it', (_, path) => {
  test.each(Object.entries(volatile))('%s', async (what, sql) => {
    const refused = { code: 'policy-invalid', message: expect.stringContaining(`: it ${what}`) }
    await expect(opened(path, sql)).rejects.toMatchObject(refused)
    await expect(inspect({ kind: 'duckdb', path, sql })).rejects.toMatchObject(refused)
  })
})

test.each([
  ['calls random()', 'SELECT * FROM luck'],
  ['calls random()', 'SELECT lucky(n) AS n FROM source'],
  ['calls random()', 'SELECT unnest(list_transform(l, lambda x: x + random())) AS n FROM source'],
  ['calls nextval()', "SELECT nextval('numbers') AS n FROM source"],
  ['reads something other than its source', 'SELECT 1 AS n FROM duckdb_settings()'],
])('what hides behind a view, a macro or a list is found: %s', async (what, sql) => {
  const message = expect.stringContaining(`: it ${what}`)
  await expect(opened(database, sql)).rejects.toMatchObject({ code: 'policy-invalid', message })
})

test('a table whose columns are computed by chance is refused', async () => {
  const message = expect.stringContaining(': it calls random()')
  await expect(opened(database, undefined, 'computed')).rejects.toMatchObject({ code: 'policy-invalid', message })
})

test.each([
  [text, 'SELECT n FROM source WHERE s = (SELECT max(s) FROM source)'],
  [text, "SELECT n FROM source WHERE s = (SELECT s FROM source WHERE n = '1') -- one row"],
  [text, 'SELECT n FROM source ORDER BY n, s LIMIT 1;'],
  [text, 'SELECT DISTINCT ON (s) n FROM source ORDER BY s, n'],
  [text, 'SELECT n FROM source QUALIFY row_number() OVER (PARTITION BY s ORDER BY t) = 1'],
  [text, 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r'],
  [text, 'SELECT count(*) AS n FROM source GROUP BY s'],
  [text, 'SELECT a.n FROM source a LEFT JOIN source b USING (s) WHERE EXISTS (FROM source c WHERE c.s = a.s)'],
  [text, 'SELECT n::INT + range AS n FROM source, range(3)'],
  [text, "SELECT age(CAST(t AS TIMESTAMP), TIMESTAMP '2026-01-01') AS a, n FROM source"],
  [database, 'SELECT plus(n) AS n FROM adults'],
  [database, 'SELECT unnest(list_transform(l, lambda x: x + 1)) AS n FROM source'],
  [database, 'SELECT first(n ORDER BY t) AS n FROM source GROUP BY s'],
])('%# what gives the same rows each time is read', async (path, sql) => {
  expect(await opened(path, sql)).toHaveLength(64)
})
