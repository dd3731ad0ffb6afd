import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRational, rational } from '../../src/numeric/index.ts'
import { countAll, type Integers, marginal } from '../../src/query/index.ts'
import { type Attribute, attribute, type Source, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import type { Exact } from '../../src/trusted/exact/index.ts'
import { open } from '../../src/trusted/exact/open.ts'
import { type PostgresDatabase, startPostgres, withClient, withoutPostgres } from '../support/postgres.ts'

const values = (a: Exact<Integers>) => Array.from(open(a) as Float64Array)
const key = new Uint8Array(32)
const n = attribute({ kind: 'integer', name: 'n', low: 0, high: 9, closed: false })

describe.skipIf(await withoutPostgres('sources in PostgreSQL'))('a source in PostgreSQL', () => {
  let database: PostgresDatabase
  let reader: string
  const opened: { close(): Promise<void> }[] = []
  const sourceOf = (part: { table?: string; sql?: string; timeout?: number }, url = reader): Source => ({
    kind: 'postgres',
    url,
    ...part,
  })
  const engineOf = async (
    part: Parameters<typeof sourceOf>[0],
    attributes: readonly Attribute[] = [n],
    url = reader,
  ) => {
    const reading = { universe: universe(attributes), unit: { kind: 'row' }, key } as const
    const engine = await openEngine({ source: sourceOf(part, url), ...reading })
    opened.push(engine)
    return engine
  }
  const snapshotOf = async (...args: Parameters<typeof engineOf>) => (await engineOf(...args)).snapshot()
  const refusal = (...args: Parameters<typeof engineOf>) =>
    snapshotOf(...args).then(
      () => undefined,
      (error) => error,
    )

  beforeAll(async () => {
    database = await startPostgres()
    const role = `reader_${new URL(database.url).pathname.slice(1)}`
    // A role that can read two tables, and nothing else; not even make temporary ones.
    await database.run(`CREATE ROLE ${role} LOGIN PASSWORD 'r3ad';
      REVOKE TEMPORARY ON DATABASE ${new URL(database.url).pathname.slice(1)} FROM PUBLIC;
      CREATE TABLE numbers AS SELECT i AS n, i % 3 AS secret, 'Smith ' || i AS who FROM generate_series(0, 4) i;
      CREATE VIEW even AS SELECT n FROM numbers WHERE n % 2 = 0;
      CREATE TABLE hidden (n integer);
      GRANT SELECT (n, who) ON numbers TO ${role}; GRANT SELECT ON even TO ${role}`)
    reader = database.url.replace(/\/\/[^@]*@/, `//${role}:r3ad@`)
  })
  afterAll(async () => {
    for (const engine of opened) await engine.close()
    await database.run(`DROP OWNED BY ${new URL(reader).username}; DROP ROLE ${new URL(reader).username}`)
    await database.stop()
  })

  test('may have more columns than a function takes arguments', async () => {
    const names = Array.from({ length: 150 }, (_, i) => `c${i}`)
    const sql = `SELECT n % 2 AS person, ${names.map((name, i) => `n + ${i % 5} AS ${name}`).join(', ')} FROM even`
    const attributes = names.map((name) => attribute({ kind: 'integer', name, low: 0, high: 9, closed: true }))
    const unit = { kind: 'column', column: 'person', rows: 2 } as const
    const engine = await openEngine({ source: sourceOf({ sql }), universe: universe(attributes), unit, key })
    opened.push(engine)
    const [count] = await (await engine.snapshot()).answer([countAll])
    expect(values(count!)).toEqual([2])
  })

  test('is read by a role that may read some of its columns, and do nothing else', async () => {
    for (const part of [{ table: 'numbers' }, { table: 'public.Numbers' }, { sql: 'SELECT n FROM even; ' }]) {
      const snapshot = await snapshotOf(part)
      expect(await snapshot.full()).toMatch(/^[0-9a-f]{64}$/)
      const [counts] = await snapshot.answer([marginal(['n'])])
      expect(values(counts!)).toEqual(part.sql ? [1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] : [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
    }
  })

  const kinds: [type: string, column: Attribute, codes: [literal: string, code: number][]][] = [
    [
      'char(5)',
      attribute({ kind: 'values', name: 'v', values: ['a', 'b '], other: true, closed: false }),
      [
        ['a', 0],
        ['b', 2],
        ['   ', 2],
      ],
    ],
    [
      'numeric',
      attribute({ kind: 'integer', name: 'v', low: 0, high: 9, closed: false }),
      [
        ['NaN', 10],
        ['Infinity', 9],
        ['-Infinity', 0],
        ['1e1000', 9],
        ['-1e-1000', 0],
        ['2.5', 3],
      ],
    ],
    [
      'numeric',
      attribute({
        kind: 'bins',
        name: 'v',
        low: rational(-1),
        high: rational(1),
        width: null,
        edges: [-1, 0, 1].map((e) => rational(e)),
        stated: [],
        closed: false,
      }),
      [
        ['-1e-1000', 0],
        ['0', 1],
        ['1e-1000', 1],
        ['NaN', 2],
      ],
    ],
    [
      'double precision',
      attribute({
        kind: 'decimal',
        name: 'v',
        low: rational(0),
        high: rational(1),
        step: parseRational('0.1')!,
        closed: false,
      }),
      [
        ['1.7976931348623157e308', 10],
        ['-1.7976931348623157e308', 0],
        ['5e-324', 0],
        ['NaN', 11],
        ['0.15', 2],
        ['-0', 0],
      ],
    ],
    [
      'double precision',
      attribute({ kind: 'values', name: 'v', values: ['3', '0.1', 'NaN'], other: true, closed: false }),
      [
        ['3.0', 0],
        ['0.1', 1],
        ['NaN', 2],
        ['1e300', 3],
        ['-0', 3],
      ],
    ],
    [
      'date',
      attribute({
        kind: 'date',
        name: 'v',
        from: '2000-01-01',
        to: '2000-01-03',
        by: 'day',
        format: 'YYYY-MM-DD',
        closed: false,
      }),
      [
        ['infinity', 2],
        ['-infinity', 0],
        ['0044-03-15 BC', 0],
        ['2000-01-02', 1],
      ],
    ],
    [
      'timestamptz',
      attribute({
        kind: 'date',
        name: 'v',
        from: '2000-01-01',
        to: '2000-01-03',
        by: 'day',
        format: 'YYYY-MM-DD',
        closed: false,
      }),
      [
        ['infinity', 2],
        ['2000-01-02 23:30-02', 2],
        ['2000-01-02 23:30+02', 1],
      ],
    ],
    [
      'timestamp',
      attribute({
        kind: 'date',
        name: 'v',
        from: '1990-01-01',
        to: '2000-12-31',
        by: 'year',
        format: 'YYYY-MM-DD',
        closed: false,
      }),
      [
        ['-infinity', 0],
        ['1999-12-31 23:59:59.999999', 9],
      ],
    ],
    [
      'text',
      attribute({
        kind: 'date',
        name: 'v',
        from: '1990-01-01',
        to: '2000-12-31',
        by: 'year',
        format: 'YYYY-MM-DD',
        closed: false,
      }),
      [
        ['0000-02-29', 0],
        ['1900-02-29', 11],
        ['2000-02-29', 10],
        ['2000-13-01', 11],
        ['9999-12-31', 10],
      ],
    ],
    [
      'text',
      attribute({
        kind: 'bins',
        name: 'v',
        low: rational(-1),
        high: rational(1),
        width: null,
        edges: [-1, 0, 1].map((e) => rational(e)),
        stated: [],
        closed: false,
      }),
      [
        ['-1e-9999', 0],
        ['-0e9999', 1],
        ['1e99999999', 1],
        ['-1e99999999', 0],
        [`0.${'0'.repeat(300)}1`, 1],
        [`-${'9'.repeat(400)}`, 0],
        ['1e', 2],
      ],
    ],
    [
      'uuid',
      attribute({
        kind: 'values',
        name: 'v',
        values: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
        other: true,
        closed: false,
      }),
      [
        ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 0],
        ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12', 1],
      ],
    ],
    [
      'json',
      attribute({ kind: 'values', name: 'v', values: ['{"a": 1}'], other: true, closed: false }),
      [
        ['{"a": 1}', 0],
        ['{}', 1],
      ],
    ],
    [
      'boolean',
      attribute({ kind: 'integer', name: 'v', low: 0, high: 1, closed: false }),
      [
        ['true', 1],
        ['false', 0],
      ],
    ],
  ]
  test.each(kinds)('a column of type %s has its codes', async (type, column, codes) => {
    const table = `kind_${kinds.findIndex(([, c]) => c === column)}`
    await database.run(
      `CREATE TABLE ${table} (v ${type}); INSERT INTO ${table} VALUES (NULL), ${codes.map(([text]) => `('${text}')`).join(', ')}`,
    )
    const snapshot = await snapshotOf({ table }, [column], database.url)
    const wanted = new Array(column.size).fill(0)
    for (const code of [column.size - 1, ...codes.map(([, code]) => code)]) wanted[code]++
    await snapshot.full()
    expect(values((await snapshot.answer([marginal(['v'])]))[0]!)).toEqual(wanted)
    // Encoded one by one, too: two terms over many cells are sums.
    const wide = attribute({ kind: 'integer', name: 'w', low: 0, high: 99_999, closed: true })
    const both = await snapshotOf({ sql: `SELECT v, 7 AS w FROM ${table}` }, [column, wide], database.url)
    const factors = {
      v: { kind: 'interval', from: 0, to: column.size - 2 },
      w: { kind: 'interval', from: 5, to: 50_000 },
    } as const
    const [counted] = await both.answer([{ ...countAll, terms: [{ coefficient: 1, factors }] }])
    expect(values(counted!)).toEqual([codes.filter(([, code]) => code < column.size - 1).length])
  })

  test('is refused where it is not there, may not be read, or is not a table', async () => {
    expect(await refusal({ table: 'nowhere' })).toMatchObject({ code: 'source-missing' })
    expect(await refusal({ table: 'elsewhere.numbers' })).toMatchObject({ code: 'source-missing' })
    expect(await refusal({ table: 'hidden' })).toMatchObject({
      code: 'source-unreadable',
      hint: expect.stringContaining('GRANT SELECT'),
    })
    expect(await refusal({ table: 'even' })).toMatchObject({ hint: expect.stringContaining('sql: SELECT * FROM even') })
    expect(await refusal({ table: 'pg_catalog.pg_class' })).toMatchObject({ code: 'source-unreadable' })
    expect(await refusal({ sql: 'SELECT secret AS n FROM numbers' })).toMatchObject({ code: 'source-unreadable' })
    expect(await refusal({ sql: 'SELECT n, n FROM numbers' })).toMatchObject({ code: 'source-unreadable' })
    expect(await refusal({ sql: 'SELECT who FROM numbers' })).toMatchObject({ facts: { missing: ['n'] } })
    expect(await refusal({ sql: 'SELECT absent AS n FROM numbers' })).toMatchObject({
      code: 'source-unreadable',
      message: 'the `sql:` of the policy fails',
    })
    expect(await refusal({ sql: 'SELECT n FROM nowhere' })).toMatchObject({ code: 'source-missing' })
    expect(await refusal({ sql: 'SELEC n' })).toMatchObject({ code: 'source-unreadable' })
    expect(await refusal({ sql: 'SELECT 1 AS n; SELECT 2 AS n' })).toMatchObject({ code: 'policy-invalid' })
    expect(await refusal({ sql: 'DELETE FROM numbers RETURNING n' })).toMatchObject({ code: 'policy-invalid' })
  })

  test('is refused where row-level security would hide rows', async () => {
    await database.run(`CREATE TABLE guarded (n integer); ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
      CREATE POLICY only_some ON guarded USING (n > 1); GRANT SELECT ON guarded TO ${new URL(reader).username}`)
    expect(await refusal({ table: 'guarded' })).toMatchObject({
      code: 'source-unreadable',
      hint: expect.stringContaining('row-level security'),
    })
  })

  test.each([
    ['SELECT n FROM numbers WHERE random() < 0.5', 'calls random()'],
    ['SELECT n FROM numbers WHERE who < now()::text', 'calls now()'],
    ['SELECT n FROM numbers WHERE current_date > $$2000-01-01$$', 'asks for the time or the user'],
    ['SELECT n FROM numbers WHERE date $$2000-01-01$$ < $$ToDay$$', "says 'ToDay', which is another day tomorrow"],
    [
      'SELECT n FROM numbers WHERE $$0:00 yesterday$$::text::date IS NOT NULL',
      "says 'yesterday', which is another day tomorrow",
    ],
    ['SELECT n FROM numbers WHERE age(timestamp $$2000-01-01$$) > interval $$1 day$$', 'calls age()'],
    ['SELECT n FROM numbers LIMIT 2', 'has a LIMIT without an ORDER BY'],
    ['SELECT n FROM (SELECT n FROM numbers OFFSET 1) AS x', 'has a LIMIT without an ORDER BY'],
    ['SELECT DISTINCT ON (n) n FROM numbers', 'has a DISTINCT ON without an ORDER BY'],
    ['SELECT n FROM numbers TABLESAMPLE SYSTEM (50)', 'takes a sample'],
    ['SELECT length(string_agg(who, $$,$$))::int AS n FROM numbers', 'calls string_agg() without an ORDER BY'],
    ['SELECT row_number() OVER () AS n FROM numbers', 'calls row_number() without an ORDER BY'],
    ['SELECT sum(n) OVER (ROWS 1 PRECEDING) AS n FROM numbers', 'calls sum() without an ORDER BY'],
    ['WITH x AS (SELECT n FROM numbers LIMIT 1) SELECT n FROM x', 'has a LIMIT without an ORDER BY'],
    ['SELECT n FROM behind', 'calls clock_timestamp()'],
    ['SELECT n FROM numbers WHERE moody(n)', 'calls moody()'],
    ['SELECT n FROM numbers FOR SHARE', 'does more than read'],
  ])('%s is refused, since it may give other rows each time', async (sql, what) => {
    if (sql.includes('behind'))
      await database.run('CREATE VIEW behind AS SELECT n FROM even WHERE clock_timestamp() IS NOT NULL')
    if (sql.includes('moody'))
      await database.run('CREATE FUNCTION moody(integer) RETURNS boolean LANGUAGE sql STABLE AS $$SELECT true$$')
    const message = `the source may return different rows each time it is read: it ${what}`
    expect(await refusal({ sql }, [n], database.url)).toMatchObject({ code: 'policy-invalid', message })
  })

  test.each([
    'SELECT n FROM numbers ORDER BY n LIMIT 2',
    'SELECT DISTINCT n FROM numbers',
    'SELECT row_number() OVER w AS n FROM numbers WINDOW w AS (ORDER BY n)',
    'SELECT length(string_agg(who, $$,$$ ORDER BY n))::int AS n FROM numbers',
    'WITH numbers AS (SELECT 1 AS n) SELECT n FROM numbers',
    'SELECT n FROM (VALUES (1), (2)) AS v(n)',
    'SELECT n FROM numbers WHERE who <> $$Snow, unknown$$',
    'SELECT extract(year FROM timestamptz $$2000-01-01$$)::int - 1998 AS n, concat(who, 1) FROM numbers',
    'SELECT a.n FROM numbers a JOIN even b ON a.n = b.n UNION ALL SELECT n FROM even',
  ])('%s is not', async (sql) => {
    expect(await refusal({ sql })).toBeUndefined()
  })

  test('what answers is what was fingerprinted, even before the server’s counters tell of a change', async () => {
    await database.run('CREATE TABLE lagging AS SELECT 1 AS n')
    const engine = await engineOf({ table: 'lagging' }, [n], database.url)
    const snapshot = await snapshotOf({ table: 'lagging' }, [n], database.url)
    const print = await snapshot.full()
    await withClient(database.url, async (client) => {
      await client.query('UPDATE lagging SET n = 2')
      const old = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      const found = await snapshot.answer([marginal(['n'])]).then(
        ([a]) => values(a!),
        (e) => e.code,
      )
      expect([old, 'source-changed']).toContainEqual(found)
      expect(await (await engine.snapshot()).full()).not.toBe(print)
    })
  })

  test('a value of an enumeration that gets another name is a change', async () => {
    await database.run(`CREATE TYPE colour AS ENUM ('red', 'blue'); CREATE DOMAIN paint AS colour;
      CREATE TABLE colours AS SELECT 'red'::paint AS c, ARRAY['red']::colour[] AS all_of, i AS n FROM generate_series(0, 4) i`)
    const c = attribute({ kind: 'values', name: 'c', values: ['red', 'blue'], other: true, closed: true })
    const engine = await engineOf({ table: 'colours' }, [c], database.url)
    const snapshot = await engine.snapshot()
    expect(values((await snapshot.answer([marginal(['c'])]))[0]!)).toEqual([5, 0, 0])
    await database.run(`ALTER TYPE colour RENAME VALUE 'red' TO 'crimson'`)
    await expect(snapshot.answer([marginal(['c'])])).rejects.toMatchObject({ code: 'source-changed' })
    expect((await engine.snapshot()).quick).not.toBe(snapshot.quick)
  })

  test('another expression of a column that is computed on reading is a change', async ({ skip }) => {
    const version = (await database.run('SHOW server_version_num')).rows[0].server_version_num
    if (Number(version) < 180_000) skip('PostgreSQL has had such columns since version 18')
    await database.run(`CREATE TABLE computed (m integer, n integer GENERATED ALWAYS AS (m + 1) VIRTUAL);
      INSERT INTO computed SELECT 1 FROM generate_series(0, 4)`)
    const snapshot = await snapshotOf({ table: 'computed' }, [n], database.url)
    expect(values((await snapshot.answer([marginal(['n'])]))[0]!)[2]).toBe(5)
    const { quick } = snapshot
    await opened.at(-1)!.close()
    await database.run('ALTER TABLE computed ALTER COLUMN n SET EXPRESSION AS (m + 2)')
    expect((await snapshotOf({ table: 'computed' }, [n], database.url)).quick).not.toBe(quick)
  })

  test('the order of rows makes no difference to its fingerprint, one row more does', async () => {
    // Each engine is closed: an open transaction would keep the view from being replaced for a while.
    const print = async (sql: string) => {
      const engine = await engineOf({ sql }, [n], database.url)
      const found = await (await engine.snapshot()).full()
      await engine.close()
      return found
    }
    await database.run(`CREATE TABLE one AS SELECT n FROM numbers ORDER BY n; CREATE TABLE two AS SELECT n FROM numbers ORDER BY n DESC;
      CREATE VIEW now_one AS SELECT n FROM one`)
    const first = await print('SELECT n FROM now_one')
    await database.run('CREATE OR REPLACE VIEW now_one AS SELECT n FROM two')
    expect(await print('SELECT n FROM now_one')).toBe(first)
    await database.run('INSERT INTO two VALUES (4)')
    expect(await print('SELECT n FROM now_one')).not.toBe(first)
  })

  test('its fingerprint is of all columns, whatever their names', async () => {
    await database.run('CREATE TABLE named AS SELECT 1 AS n, 7 AS records')
    const print = async () => (await snapshotOf({ table: 'named' }, [n], database.url)).full()
    const first = await print()
    await database.run('UPDATE named SET n = 2')
    expect(await print()).not.toBe(first)
  })

  test('counters that began anew are not those from before', async () => {
    await database.run('CREATE TABLE recounted AS SELECT 1 AS n')
    await database.run('SELECT pg_stat_reset()')
    const quick = async () => (await snapshotOf({ table: 'recounted' }, [n], database.url)).quick
    const before = await quick()
    await database.run('UPDATE recounted SET n = 2')
    await expect.poll(quick).not.toBe(before)
    await database.run('SELECT pg_stat_reset()')
    expect(await quick()).not.toBe(before)
  })

  test('a statement that takes too long is stopped', async () => {
    const sql = 'SELECT (a.g + b.g) % 10 AS n FROM generate_series(1, 100000) a(g), generate_series(1, 100000) b(g)'
    const engine = await engineOf({ sql, timeout: 1 })
    const snapshot = await engine.snapshot()
    const stopped = { code: 'engine-failed', message: expect.stringContaining('took longer than') }
    await expect(snapshot.answer([countAll])).rejects.toMatchObject(stopped)
    await expect((await engine.snapshot()).full()).rejects.toMatchObject(stopped)
    // And one that nobody waits for any longer.
    const patient = await engineOf({ sql })
    const left = (await patient.snapshot()).answer([countAll]).catch((e) => e.code)
    await expect.poll(async () => (await running()).length).toBe(1)
    await patient.close()
    expect(await left).toMatch(/engine-failed|source-changed/)
    expect(await running()).toEqual([])
  })
  const running = async () =>
    (
      await database.run(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%generate_series(1, 100000)%' AND state = 'active' AND pid <> pg_backend_pid()",
      )
    ).rows
})
