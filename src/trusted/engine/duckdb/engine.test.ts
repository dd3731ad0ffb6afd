import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { rational } from '../../../numeric/index.ts'
import { countAll, marginal } from '../../../query/index.ts'
import { attribute, type Unit, universe } from '../../../schema/index.ts'
import { open } from '../../exact/open.ts'
import { openEngine } from '../index.ts'
import { inspect } from '../inspect/index.ts'
import { connect, lock } from './session.ts'

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
  using(place, async (e) =>
    [...(open((await (await e.snapshot()).answer([marginal(['n'])]))[0]!) as Float64Array)].join(''),
  )

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
    await expect(ns({ path })).rejects.toMatchObject({ code: 'source-unreadable', facts: {} })
    expect(await ns({ path, table: 's.t2' })).toBe('00100000000')
    // A view may filter, and then its number of rows is not public: the owner vouches for it with `sql:`.
    await expect(ns({ path, table: 'v' })).rejects.toMatchObject({
      code: 'source-unreadable',
      hint: expect.stringContaining('sql: SELECT * FROM v'),
    })
    expect(await ns({ path, sql: 'SELECT * FROM v' })).toBe('00010000000')
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
    await expect(ns({ path: at('wrong.csv') })).rejects.toMatchObject({ facts: { missing: ['n'] } })
  })
})

describe('what never ends is no source:', () => {
  const endings = ['csv', 'csv.gz', 'parquet', 'duckdb']
  const unread = async (path: string) => {
    await expect(ns({ path })).rejects.toMatchObject({ code: 'source-missing' })
    await expect(inspect({ kind: 'duckdb', path })).rejects.toMatchObject({ code: 'source-missing' })
  }
  test.each(endings)('a pipe called .%s', async (ending) => {
    execFileSync('mkfifo', [at(`pipe.${ending}`)])
    await unread(at(`pipe.${ending}`))
    await unread(at(`pip*.${ending}`))
  })
  test.each(endings)('a device behind a link called .%s', async (ending) => {
    symlinkSync('/dev/zero', at(`zero.${ending}`))
    await unread(at(`zero.${ending}`))
  })
  test.each(endings)('a folder called .%s', async (ending) => {
    mkdirSync(at(`folder.${ending}`))
    await unread(at(`folder.${ending}`))
  })
  test('a pipe where the log of a DuckDB file would be', async () => {
    await duckdb(at('piped.duckdb'), 'CREATE TABLE t AS SELECT 1 AS n')
    execFileSync('mkfifo', [at('piped.duckdb.wal')])
    await expect(ns({ path: at('piped.duckdb') })).rejects.toMatchObject({ code: 'source-unreadable' })
    await expect(inspect({ kind: 'duckdb', path: at('piped.duckdb') })).rejects.toThrow('is not a file')
  })
})

describe('what is wrong with a source is told without a word that is in it:', () => {
  const said = async (place: Place) => {
    const error = await ns(place).catch((e) => e)
    expect(error.code).toBe('source-unreadable')
    const { message, detail, hint, facts, stack, cause } = error
    return JSON.stringify({ message, detail, hint, facts, stack, cause })
  }
  /** The owner's look at the same source, which may say more. */
  const toOwner = async (source: Place) => {
    const error = await inspect({ kind: 'duckdb', ...source }).catch((e) => e)
    return `${error.message} ${error.hint} ${JSON.stringify(error.facts)}`
  }

  test('a record where the header was', async () => {
    writeFileSync(at('lost.csv'), 'Anna Secret,3\nBob Secret,4\n')
    expect(await said({ path: at('lost.csv') })).not.toMatch(/Secret/)
    writeFileSync(at('torn.csv'), '"Anna Secret" x,3\n')
    expect(await said({ path: at('torn.csv') })).not.toMatch(/Secret|quote/)
    expect(await toOwner({ path: at('torn.csv') })).toMatch(/stray quote/)
  })

  test('names of files behind a glob', async () => {
    mkdirSync(at('patients'))
    writeFileSync(at('patients', 'Anna Secret.csv'), '')
    expect(await said({ path: at('patients', '*.csv') })).not.toMatch(/Secret|empty/)
    expect(await toOwner({ path: at('patients', '*.csv') })).toMatch(/empty.*Secret/)
    writeFileSync(at('patients', '[Anna Secret].csv'), 'n\n1\n')
    expect(await said({ path: at('patients', '*.csv') })).not.toMatch(/Secret/)
    expect(await toOwner({ path: at('patients', '*.csv') })).toMatch(/Rename.*Secret/)
  })

  test('names of tables', async () => {
    const path = at('names.duckdb')
    await duckdb(path, 'CREATE TABLE "Anna Secret" AS SELECT 1 AS n; CREATE TABLE b AS SELECT 1 AS n')
    for (const place of [{ path }, { path, table: 'c' }]) {
      expect(await said(place)).not.toMatch(/Secret/)
      expect(await toOwner(place)).toMatch(/there are Anna Secret, b/)
    }
  })
})

test("an owner's view sees the source and nothing else on the machine", async () => {
  writeFileSync(at('view.csv'), 'n\n1\n2\n')
  writeFileSync(at('other.csv'), 'n\n7\n')
  expect(await ns({ path: at('view.csv'), sql: 'SELECT n FROM source WHERE n = 2' })).toBe('00100000000')
  for (const sql of [`SELECT n FROM read_csv('${at('other.csv')}')`, `SELECT n FROM '${at('other.csv')}'`])
    await expect(ns({ path: at('view.csv'), sql })).rejects.toMatchObject({ code: 'policy-invalid' })
  await expect(ns({ path: at('view.csv'), sql: 'SELECT nobody FROM source' })).rejects.toMatchObject({
    code: 'source-unreadable',
  })
})

test('a locked connection reads its files, writes nothing and stays locked', async () => {
  writeFileSync(at('mine.csv'), 'n\n1\n')
  writeFileSync(at('yours.csv'), 'n\n1\n')
  const session = await connect()
  await lock(session, { all: [{ path: '', real: at('mine.csv'), name: '' }] })
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

test('what does not fit in memory goes to a folder of its own that nobody else can read', async () => {
  const session = await connect()
  const [[spill]] = (
    await session.connection.runAndReadAll("SELECT current_setting('temp_directory')")
  ).getRowsJS() as [[string]]
  expect(statSync(spill).mode & 0o777).toBe(0o700)
  await session.connection.run("SET memory_limit = '20MB'")
  await session.connection.run('CREATE TEMP TABLE large AS SELECT random() AS x FROM range(5000000)')
  expect(readdirSync(spill).length).toBeGreaterThan(0)
  await session.close()
  expect(() => statSync(spill)).toThrow(/ENOENT/)
})

test('nothing stays in the folder for temporary files, whatever fails', async () => {
  const [before, own] = [process.env.TMPDIR, at('temporary')]
  mkdirSync(own)
  process.env.TMPDIR = own
  try {
    writeFileSync(at('left.csv'), 'n\n1\n')
    expect(await ns({ path: at('left.csv') })).toBe('01000000000')
    for (const place of [{ path: at('wrong.csv') }, { path: at('broken.parquet') }, { path: at('broken.duckdb') }])
      await expect(ns(place)).rejects.toThrow()
    for (const sql of ['SELECT nobody FROM source', 'SELECT random() AS n', 'nonsense'])
      await expect(ns({ path: at('left.csv'), sql })).rejects.toThrow()
    await inspect({ kind: 'duckdb', path: at('left.csv') })
    const engine = await engineOf({ path: at('left.csv') })
    const snapshot = await engine.snapshot()
    expect(readdirSync(own)).toHaveLength(1)
    // One that is outdated makes room for the next.
    writeFileSync(at('left.csv'), 'n\n2\n3\n')
    await expect(snapshot.full()).rejects.toThrow()
    await engine.snapshot()
    expect(readdirSync(own)).toHaveLength(1)
    await engine.close()
    expect(readdirSync(own)).toEqual([])
    const script = `import { connect } from '${join(import.meta.dirname, 'session.ts')}'; await connect(); process.exit(3)`
    const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script])
    expect([status, readdirSync(own)]).toEqual([3, []])
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
})

test('two engines may read one DuckDB file at once, and closing lets it go', async () => {
  const path = at('shared.duckdb')
  await duckdb(path, 'CREATE TABLE t AS SELECT 1 AS n')
  const [first, second] = [await engineOf({ path }), await engineOf({ path })]
  for (const engine of [first, second]) expect(await (await engine.snapshot()).answer([countAll])).toHaveLength(1)
  await first.close()
  await second.close()
  await duckdb(path, 'INSERT INTO t VALUES (2)')
  expect(await ns({ path })).toBe('01100000000')
})

describe('a fingerprint', () => {
  const both = (path: string) =>
    using({ path }, async (e) => {
      const snapshot = await e.snapshot()
      return { quick: snapshot.quick, full: await snapshot.full() }
    })

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

  test('notices another content of the same size and time', async () => {
    const path = at('same.csv')
    const write = (n: number) => {
      writeFileSync(path, `n\n${n}\n`)
      utimesSync(path, 1000, 1000)
    }
    write(1)
    const before = await both(path)
    write(2)
    expect((await both(path)).quick).not.toBe(before.quick)
    for (const n of [1, 2]) {
      writeFileSync(at(`target${n}`), `n\n${n}\n`)
      utimesSync(at(`target${n}`), 1000, 1000)
    }
    symlinkSync(at('target1'), at('link.csv'))
    const linked = await both(at('link.csv'))
    expect(linked.full).not.toBe(before.full)
    unlinkSync(at('link.csv'))
    symlinkSync(at('target2'), at('link.csv'))
    expect((await both(at('link.csv'))).quick).not.toBe(linked.quick)
  })

  test('depends on the table that is read', async () => {
    const path = at('tables.duckdb')
    await duckdb(path, 'CREATE TABLE a AS SELECT 1 AS n; CREATE TABLE b AS SELECT 1 AS n')
    const print = (place: Place) => using(place, async (e) => (await e.snapshot()).full())
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
  const snapshot = await engine.snapshot()
  rmSync(at('gone.csv'))
  for (const work of [() => snapshot.answer([countAll]), () => snapshot.full()]) {
    const error = await work().catch((e) => e)
    expect(error).toMatchObject({ code: 'source-changed', facts: {} })
    expect(`${error.stack} ${error.cause}`).not.toContain('gone.csv')
  }
  await expect(engine.snapshot()).rejects.toMatchObject({ code: 'source-missing' })
  await engine.close()
})

describe('times in nanoseconds', () => {
  test('are read on every day that there is, the first one too', async () => {
    const path = at('times.duckdb')
    // The type's first day is the one whose text DuckDB cannot write.
    await duckdb(
      path,
      `CREATE TABLE t (x TIMESTAMP_NS); INSERT INTO t VALUES ('1677-09-21 12:00:00'), ('2262-04-11 12:00:00'),
       ('2000-01-01 00:00:00.000000001'), (NULL)`,
    )
    const listed = ['1677-09-21 12:00:00', '2000-01-01 00:00:00.000000001']
    for (const [a, right] of [
      [{ kind: 'values', values: listed, other: true }, '1111'],
      [{ kind: 'boolean' }, '004'],
      [{ kind: 'date', from: '2000-01-01', to: '2001-12-31', by: 'year', format: 'YYYY' }, '211'],
    ] as const) {
      const x = attribute({ ...a, name: 'x', closed: false } as Parameters<typeof attribute>[0])
      const engine = await openEngine({ source: { kind: 'duckdb', path }, universe: universe([x]), unit: row, key })
      const snapshot = await engine.snapshot()
      expect(await snapshot.full()).toHaveLength(64)
      expect([...(open((await snapshot.answer([marginal(['x'])]))[0]!) as Float64Array)].join('')).toBe(right)
      await engine.close()
    }
  })
})

test('floats of 32 bits keep the grid points that they always had, and lie in the bins that people mean', async () => {
  const path = at('floats.duckdb')
  // In 32 bits 4.45 is below itself, and so is 0.7; 4.55 is above.
  await duckdb(path, 'CREATE TABLE t (x FLOAT); INSERT INTO t VALUES (4.45), (4.55), (0.7)')
  const [low, high, tenth] = [rational(0), rational(5), rational(1, 10)]
  for (const [a, right] of [
    [
      { kind: 'decimal', low, high, step: tenth },
      { 7: 1, 44: 1, 46: 1 },
    ],
    [
      { kind: 'bins', low, high, width: tenth, edges: [], stated: [] },
      { 7: 1, 44: 1, 45: 1 },
    ],
  ] as const) {
    const x = attribute({ ...a, name: 'x', closed: false })
    const engine = await openEngine({ source: { kind: 'duckdb', path }, universe: universe([x]), unit: row, key })
    const [counts] = await (await engine.snapshot()).answer([marginal(['x'])])
    expect(Object.fromEntries(Object.entries(open(counts!)).filter(([, n]) => n > 0))).toEqual(right)
    await engine.close()
  }
})
