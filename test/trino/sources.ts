import { describe, expect, test } from 'vitest'
import { check } from '../../src/cli/commands/check.ts'
import { createLedgerFor } from '../../src/index.ts'
import { marginal } from '../../src/query/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { open } from '../../src/trusted/exact/open.ts'
import { integers } from '../contract/engine.ts'
import { listener } from '../support/listener.ts'
import type { TrinoCluster } from '../support/servers/trino.ts'
import { Scene, young } from './scene.ts'

const setting = (...names: string[]) => ({
  universe: universe(
    names.map((name) => attribute({ kind: 'values', name, values: ['0', 'ab'], other: true, closed: false })),
  ),
  unit: { kind: 'row' } as const,
  key: new Uint8Array(32),
})

/** Sources that cannot be read, or not twice. */
export function sources({ url, run }: TrinoCluster): void {
  const source = (more: object) => ({ kind: 'trino', url, catalog: 'memory', schema: 'contract', ...more }) as const
  const snapshotOf = async (more: object, ...names: string[]) => {
    const engine = await openEngine({ source: source(more), ...setting(...names) })
    return (await engine.snapshot().finally(() => undefined)) && engine
  }

  test.each([
    ['TIMESTAMP(3)', "TIMESTAMP '2020-01-01 00:00:00 UTC'", "TIMESTAMP '2020-01-01 01:00:00 Europe/Berlin'"],
    ['TIME(3)', "TIME '00:00:00+00:00'", "TIME '01:00:00+01:00'"],
  ])('a person who is known by a %s in two time zones is one', async (type, here, there) => {
    const sql = `SELECT CAST(id AS ${type} WITH TIME ZONE) AS id, 'ab' AS v FROM (VALUES ${here}, ${there}) AS t (id)`
    const unit = { kind: 'column', column: 'id', rows: 1 } as const
    const engine = await openEngine({ source: source({ sql }), ...setting('v'), unit })
    const [answer] = await (await engine.snapshot()).answer([marginal(['v'])])
    expect(Array.from(open(answer!), Number)).toEqual([0, 1, 0, 0])
    await engine.close()
  })

  test.each([
    ['intervals', `INTERVAL '1' DAY, INTERVAL '24' HOUR, INTERVAL '2' DAY`, 2],
    ['JSON', `JSON '1', JSON '"1"', JSON '{"a":1}', JSON '{"a":1}', JSON 'null', NULL`, 5],
  ])('persons who are known by %s are in the fingerprint, and as many as there are', async (_, values, many) => {
    const unit = { kind: 'column', column: 'id', rows: 1 } as const
    const seen = async (list: string) => {
      const sql = `SELECT id, 'ab' AS v FROM (VALUES ${list}) AS t (id)`
      const engine = await openEngine({ source: source({ sql }), ...setting('v'), unit })
      const snapshot = await engine.snapshot()
      const [answer] = await snapshot.answer([marginal(['v'])])
      const full = await snapshot.full()
      await engine.close()
      return { full, count: Number(open(answer!)[1]) }
    }
    const { full, count } = await seen(values)
    expect(count).toBe(many)
    const [first] = values.split(', ')
    expect((await seen(values.split(', ').with(-1, first!).join(', '))).full).not.toBe(full)
  })

  describe('an owner’s view', () => {
    const from = 'FROM tpch.tiny.nation'
    test.each([
      ['chance', `SELECT n_name AS v ${from} WHERE random() < 0.5`],
      ['a sample', `SELECT n_name AS v ${from} TABLESAMPLE BERNOULLI (50)`],
      ['another sample', `SELECT n_name AS v ${from} TABLESAMPLE SYSTEM (50)`],
      ['the clock', `SELECT n_name AS v ${from} WHERE now() > TIMESTAMP '2020-01-01 00:00:00'`],
      ['today', `SELECT n_name AS v ${from} WHERE current_date > DATE '2020-01-01'`],
      ['the clock in a view below', 'SELECT CAST(v AS VARCHAR) AS v FROM memory.contract.clock'],
      ['chance in a view below', 'SELECT CAST(v AS VARCHAR) AS v FROM memory.contract.dice'],
      ['a LIMIT', `SELECT n_name AS v ${from} LIMIT 3`],
      ['a LIMIT in a subquery', `SELECT v FROM (SELECT n_name AS v ${from} LIMIT 3) ORDER BY v`],
      ['numbers without an order', `SELECT CAST(row_number() OVER () AS VARCHAR) AS v ${from}`],
      ['any value', `SELECT any_value(n_name) AS v ${from} GROUP BY n_regionkey`],
      ['a list in no order', `SELECT array_join(array_agg(n_name), ',') AS v ${from} GROUP BY n_regionkey`],
    ])('that depends on %s is refused', async (_, sql) => {
      await run('CREATE OR REPLACE VIEW memory.contract.clock AS SELECT now() AS v FROM tpch.tiny.nation')
      await run('CREATE OR REPLACE VIEW memory.contract.dice AS SELECT random() AS v FROM tpch.tiny.nation')
      await expect(snapshotOf({ sql }, 'v')).rejects.toMatchObject({ code: 'policy-invalid' })
    })

    test.each([
      ['a filter', `SELECT n_name AS v ${from} WHERE n_regionkey = 1 -- now()`],
      ['quoted words', `SELECT 'now() LIMIT random()' AS "limit", n_name AS v ${from}`],
      ['an order before a LIMIT', `SELECT n_name AS v ${from} ORDER BY n_nationkey LIMIT 3;`],
      [
        'ordered lists and numbers',
        `SELECT array_join(array_agg(n_name ORDER BY n_name), ',') AS v ${from} GROUP BY n_regionkey`,
      ],
    ])('with %s is read', async (_, sql) => {
      const engine = await snapshotOf({ sql }, 'v')
      await engine.close()
    })

    test('that fails on a record says so to its owner alone', async () => {
      const sql = 'SELECT CAST(n_name AS BIGINT) AS v FROM tpch.tiny.nation'
      const error = await snapshotOf({ sql }, 'v').catch((e) => e)
      expect(error).toMatchObject({ code: 'source-unreadable' })
      expect(`${error.message} ${error.detail} ${error.hint}`).not.toMatch(/ALGERIA|CAST/)
    })
  })

  describe('types', () => {
    test('char(n) is read without what fills it up', async () => {
      await run("CREATE TABLE memory.contract.padded AS SELECT CAST('ab' AS CHAR(5)) AS v")
      const engine = await snapshotOf({ table: 'padded' }, 'v')
      const [counts] = await (await engine.snapshot()).answer([marginal(['v'])])
      expect(integers(counts!)).toEqual([0n, 1n, 0n, 0n])
      await engine.close()
    })

    test('a column that has no text is named with its type, and others beside it are read', async () => {
      await run("CREATE TABLE memory.contract.lists AS SELECT ARRAY[1, 2] AS a, '0' AS v, X'00ff' AS b")
      const right = await snapshotOf({ table: 'lists' }, 'v')
      expect(integers((await (await right.snapshot()).answer([marginal(['v'])]))[0]!)).toEqual([1n, 0n, 0n, 0n])
      await right.close()
      const wrong = await snapshotOf({ table: 'lists' }, 'a')
      await expect((await wrong.snapshot()).answer([marginal(['a'])])).rejects.toMatchObject({
        code: 'source-unreadable',
        message: expect.stringContaining('array(integer)'),
      })
      await wrong.close()
    })
  })

  test('a materialized view is no table: how many rows it has may be private', async () => {
    await run('CREATE TABLE lake.contract.counted AS SELECT n_name AS v FROM tpch.tiny.nation')
    await run("CREATE MATERIALIZED VIEW lake.contract.few AS SELECT v FROM lake.contract.counted WHERE v < 'B'")
    await expect(snapshotOf({ catalog: 'lake', table: 'few' }, 'v')).rejects.toMatchObject({
      code: 'source-unreadable',
      message: expect.stringContaining('is a view'),
    })
  })

  test('a table may have more columns than Trino’s functions take', async () => {
    const list = Array.from({ length: 150 }, (_, i) => `'ab' AS c${i}`).join(', ')
    await run(`CREATE TABLE memory.contract.wide AS SELECT ${list}`)
    const names = Array.from({ length: 150 }, (_, i) => `c${i}`)
    const unit = { kind: 'column', column: 'c0', rows: 1 } as const
    const engine = await openEngine({ source: source({ table: 'wide' }), ...setting(...names), unit })
    const snapshot = await engine.snapshot()
    await snapshot.full()
    expect(integers((await snapshot.answer([marginal(['c149'])]))[0]!)).toEqual([0n, 1n, 0n, 0n])
    await engine.close()
  })

  test.each([
    ['a table that is not there', { table: 'nobody' }, 'source-missing'],
    ['a schema that is not there', { schema: 'nobody', table: 't' }, 'source-missing'],
    ['a catalog that is not there', { catalog: 'nobody', table: 't' }, 'source-missing'],
    ['a snapshot that is not there', { catalog: 'lake', table: 'x', version: '17' }, 'source-missing'],
    ['a view named as a table', { table: 'clock' }, 'source-unreadable'],
    ['a column that is not there', { table: 'padded' }, 'source-unreadable'],
    ['SQL that is none', { sql: 'SELECT SELECT' }, 'source-unreadable'],
    ['a setting that is none', { table: 'padded', session: { nonsense: '1' } }, 'source-unreadable'],
  ])('%s is one clear error', async (_, more, code) => {
    await expect(snapshotOf(more, 'nothing')).rejects.toMatchObject({ name: 'ReticentError', code })
  })

  test('a statement that takes too long is given up, and the ledger verifies', async () => {
    const sql = 'SELECT l_orderkey % 10 AS age FROM tpch.sf100.lineitem'
    const scene = new Scene({ url }, `catalog: tpch, sql: ${sql}, session: { query_max_run_time: 2s }`)
    await expect(scene.create()).rejects.toMatchObject({
      code: 'engine-failed',
      facts: { trino: 'EXCEEDED_TIME_LIMIT' },
    })
  })

  /** How the latest hash of a source goes, once it has begun to. */
  const state = async (about: string) => {
    const rows = await run(`SELECT state FROM system.runtime.queries WHERE query LIKE '%from_big_endian_64%${about}%'
        AND source = 'reticent' AND query NOT LIKE '%runtime%' ORDER BY created DESC`)
    return rows[0]?.[0]
  }
  const untilRunning = async (about: string) => {
    for (let tries = 0; tries < 300 && (await state(about)) !== 'RUNNING'; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }

  test('closing an engine stops what it is doing in the server', async () => {
    const sql = 'SELECT CAST(l_orderkey AS VARCHAR) AS v FROM tpch.sf100.lineitem'
    const engine = await openEngine({ source: source({ sql }), ...setting('v') })
    const waiting = expect(engine.snapshot()).rejects.toMatchObject({ code: 'interrupted' })
    await untilRunning('l_orderkey%sf100')
    await engine.close()
    await waiting
    expect(await state('l_orderkey%sf100')).toBe('FAILED')
  })

  test.each([
    [
      'a check',
      'l_partkey',
      (policy: string, signal: AbortSignal) => check({ policy, json: false }, listener().out, signal),
    ],
    ['the creation of a ledger', 'l_suppkey', (policy: string, signal: AbortSignal) => createLedgerFor(policy, signal)],
  ])('who interrupts %s stops the statement in the server', async (_, column, work) => {
    const scene = new Scene({ url }, `catalog: tpch, sql: SELECT ${column} % 10 AS age FROM tpch.sf100.lineitem`)
    const abort = new AbortController()
    const ended = expect(work(scene.policy, abort.signal)).rejects.toMatchObject({ code: 'interrupted' })
    await untilRunning(`${column}%sf100`)
    abort.abort()
    await ended
    expect(await state(`${column}%sf100`)).toBe('FAILED')
  })

  test('who interrupts a question stops the hash of the source in the server, and pays nothing', async () => {
    const table = 'memory.contract.grown'
    await run(`CREATE TABLE ${table} AS SELECT n_regionkey AS age FROM tpch.tiny.nation WHERE n_nationkey < 3`)
    const crossed = ['b', 'c', 'd'].map((other) => `CROSS JOIN ${table} ${other}`).join(' ')
    const scene = new Scene({ url }, `catalog: memory, sql: SELECT a.age FROM ${table} a ${crossed}`)
    await scene.create()
    const people = await scene.open()
    // Behind the ledger's back, so that reading all of it takes hours.
    await run(`INSERT INTO ${table} SELECT suppkey % 10 FROM (SELECT s_suppkey AS suppkey FROM tpch.sf1.supplier)`)
    const abort = new AbortController()
    const ended = expect(people.ask(young, { within: 5, signal: abort.signal })).rejects.toMatchObject({
      code: 'interrupted',
      detail: 'Nothing is spent.',
    })
    await untilRunning('grown d')
    abort.abort()
    await ended
    expect(await state('grown d')).toBe('FAILED')
    expect(await people.budget()).toMatchObject({ spent: { epsilon: 0 } })
  })
}
