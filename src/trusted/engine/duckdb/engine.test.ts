import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { countAll, marginal } from '../../../query/index.ts'
import { attribute, type Unit, universe } from '../../../schema/index.ts'
import { open } from '../../exact/open.ts'
import { openEngine } from '../index.ts'
import { lock, openSession } from './connection.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-duckdb-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (...names: string[]) => join(folder, ...names)
const u = universe([attribute({ kind: 'integer', name: 'n', low: 0, high: 9, closed: false })])
const row: Unit = { kind: 'row' }
const key = new Uint8Array(32)

interface Place {
  path: string
  table?: string
  sql?: string
}
const engineOf = (place: Place) => openEngine({ source: { kind: 'duckdb', ...place }, universe: u, unit: row, key })
async function using<T>(place: Place, work: (engine: Awaited<ReturnType<typeof engineOf>>) => Promise<T>): Promise<T> {
  const engine = await engineOf(place)
  return work(engine).finally(() => engine.close())
}
const ns = (place: Place) =>
  using(place, async (e) => [...(open((await e.answer([marginal(['n'])]))[0]!) as Float64Array)].join(''))

async function duckdb(path: string, sql: string) {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
}

describe('a source is found', () => {
  test('behind a glob, whatever the order of columns in its files', async () => {
    mkdirSync(at('many'))
    writeFileSync(at('many', 'a.csv'), 'n,x\n1,5\n')
    writeFileSync(at('many', 'b.csv'), 'x,n\n5,2\n6,2\n')
    writeFileSync(at('many', 'c.txt'), 'n\n3\n')
    expect(await ns({ path: at('many', '*.csv') })).toBe('01200000000')
    expect(await ns({ path: at('many', '?.{csv,txt}') }).catch((e) => e.code)).toBe('source-unreadable')
    await duckdb(
      ':memory:',
      `COPY (SELECT 4 AS n) TO '${at('many', '1.parquet')}'; COPY (SELECT 'x' AS y, 5::DOUBLE AS n) TO '${at('many', '2.parquet')}'`,
    )
    expect(await ns({ path: at('many', '*.parquet') })).toBe('00001100000')
  })

  test('in a DuckDB file: the one table, or the one that is named', async () => {
    const path = at('one.duckdb')
    await duckdb(path, 'CREATE TABLE t AS SELECT 1 AS n')
    expect(await ns({ path })).toBe('01000000000')
    await duckdb(path, 'CREATE SCHEMA s; CREATE TABLE s.t2 AS SELECT 2 AS n; CREATE VIEW v AS SELECT 3 AS n')
    await expect(ns({ path })).rejects.toMatchObject({
      code: 'source-unreadable',
      facts: { tables: ['t', 'v', 's.t2'] },
    })
    expect(await ns({ path, table: 's.t2' })).toBe('00100000000')
    expect(await ns({ path, table: 'v' })).toBe('00010000000')
    expect(await ns({ path, sql: 'SELECT n + 1 AS n FROM s.t2 UNION ALL SELECT n FROM t -- both' })).toBe('01010000000')
    await expect(ns({ path, table: 'nobody' })).rejects.toMatchObject({ code: 'source-unreadable' })
  })

  test('or not, and then the message says what is missing', async () => {
    await expect(ns({ path: at('none.csv') })).rejects.toMatchObject({ code: 'source-missing' })
    await expect(ns({ path: at('none*.csv') })).rejects.toMatchObject({ code: 'source-missing' })
    writeFileSync(at('data.xlsx'), '')
    await expect(ns({ path: at('data.xlsx') })).rejects.toMatchObject({ code: 'source-unreadable' })
    for (const broken of ['broken.parquet', 'broken.duckdb']) {
      writeFileSync(at(broken), 'not what it says')
      await expect(ns({ path: at(broken) })).rejects.toMatchObject({ code: 'source-unreadable' })
    }
    writeFileSync(at('wrong.csv'), 'm\n1\n')
    await expect(ns({ path: at('wrong.csv') })).rejects.toMatchObject({ facts: { missing: ['n'], columns: ['m'] } })
    const postgres = { kind: 'postgres', url: 'postgres://x' } as const
    await expect(openEngine({ source: postgres, universe: u, unit: row, key })).rejects.toMatchObject({
      code: 'not-supported',
    })
  })
})

test("an owner's view sees the source and nothing else on the machine", async () => {
  writeFileSync(at('view.csv'), 'n\n1\n2\n')
  writeFileSync(at('other.csv'), 'n\n7\n')
  expect(await ns({ path: at('view.csv'), sql: 'SELECT n FROM source WHERE n = 2' })).toBe('00100000000')
  const stolen = await ns({ path: at('view.csv'), sql: `SELECT n FROM read_csv('${at('other.csv')}')` }).catch(
    (e) => e.code,
  )
  expect(stolen).toMatch(/engine-failed|source-unreadable/)
  await expect(ns({ path: at('view.csv'), sql: 'SELECT nobody FROM source' })).rejects.toMatchObject({
    code: 'source-unreadable',
  })
})

test('a locked connection reads its files, writes nothing and stays locked', async () => {
  writeFileSync(at('mine.csv'), 'n\n1\n')
  writeFileSync(at('yours.csv'), 'n\n1\n')
  const session = await openSession()
  await lock(session, [at('mine.csv')])
  const runs = (sql: string) =>
    session.connection.run(sql).then(
      () => true,
      () => false,
    )
  expect(await runs(`SELECT * FROM read_csv('${at('mine.csv')}')`)).toBe(true)
  expect(await runs(`SELECT * FROM read_csv('${at('yours.csv')}')`)).toBe(false)
  expect(await runs(`SELECT * FROM glob('${at('*')}')`)).toBe(false)
  for (const target of ['new.csv', 'mine.csv', 'yours.csv'])
    expect(await runs(`COPY (SELECT 1) TO '${at(target)}'`)).toBe(false)
  expect(await runs(`ATTACH '${at('new.duckdb')}'`)).toBe(false)
  expect(await runs('SET enable_external_access = true')).toBe(false)
  expect(await runs("SET memory_limit = '9GB'")).toBe(false)
  expect(await runs('INSTALL httpfs')).toBe(false)
  expect(await runs('LOAD httpfs')).toBe(false)
  await session.close()
})

test('two engines may read one DuckDB file at once, and closing lets it go', async () => {
  const path = at('shared.duckdb')
  await duckdb(path, 'CREATE TABLE t AS SELECT 1 AS n')
  const [first, second] = [await engineOf({ path }), await engineOf({ path })]
  expect(await first.answer([countAll])).toHaveLength(1)
  expect(await second.answer([countAll])).toHaveLength(1)
  await first.close()
  await second.close()
  await duckdb(path, 'INSERT INTO t VALUES (2)')
  expect(await ns({ path })).toBe('01100000000')
})

describe('a fingerprint', () => {
  const both = (path: string) =>
    using({ path }, async (e) => ({ quick: await e.fingerprint('quick'), full: await e.fingerprint('full') }))

  test('is the same where the folder has moved, and another where a byte or a time has changed', async () => {
    mkdirSync(at('here'))
    writeFileSync(at('here', 'a.csv'), 'n\n1\n')
    writeFileSync(at('here', 'b.csv'), 'n\n2\n')
    const before = await both(at('here', '*.csv'))
    expect(before.quick).not.toBe(before.full)
    renameSync(at('here'), at('there'))
    expect(await both(at('there', '*.csv'))).toEqual(before)
    utimesSync(at('there', 'a.csv'), 1, 1)
    const touched = await both(at('there', '*.csv'))
    expect(touched.full).toBe(before.full)
    expect(touched.quick).not.toBe(before.quick)
    writeFileSync(at('there', 'a.csv'), 'n\n3\n')
    expect((await both(at('there', '*.csv'))).full).not.toBe(before.full)
    copyFileSync(at('there', 'b.csv'), at('there', 'c.csv'))
    expect((await both(at('there', '*.csv'))).full).not.toBe(touched.full)
  })

  test('depends on the table that is read', async () => {
    const path = at('tables.duckdb')
    await duckdb(path, 'CREATE TABLE a AS SELECT 1 AS n; CREATE TABLE b AS SELECT 1 AS n')
    const print = (place: Place) => using(place, (e) => e.fingerprint('full'))
    const prints = [
      await print({ path, table: 'a' }),
      await print({ path, table: 'b' }),
      await print({ path, sql: 'SELECT * FROM a' }),
    ]
    expect(new Set(prints).size).toBe(3)
  })
})

test('a file that goes away fails without a word of it', async () => {
  writeFileSync(at('gone.csv'), 'n\n1\n')
  const engine = await engineOf({ path: at('gone.csv') })
  rmSync(at('gone.csv'))
  const error = await engine.answer([countAll]).catch((e) => e)
  expect(error).toMatchObject({ code: 'engine-failed', facts: {} })
  expect(`${error.stack} ${error.cause}`).not.toContain('gone.csv')
  await expect(engine.fingerprint('quick')).rejects.toMatchObject({ code: 'engine-failed' })
  await engine.close()
})
