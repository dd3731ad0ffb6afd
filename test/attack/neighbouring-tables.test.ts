import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/index.ts'
import { parseRational, rational } from '../../src/numeric/index.ts'
import { marginal } from '../../src/query/index.ts'
import { attribute, type Source, type Unit, universe } from '../../src/schema/index.ts'
import { openEngine } from '../../src/trusted/engine/index.ts'
import { open } from '../../src/trusted/exact/open.ts'
import { uniformBelow } from '../../src/trusted/random/index.ts'
import {
  type Table,
  temporary,
  writeCsv,
  writeDatabase,
  writeParquet,
  writePostgres,
} from '../contract/engine-table.ts'
import { type PostgresDatabase, startPostgres, withoutPostgres } from '../support/postgres.ts'

// The attack: two tables that differ by one person are read, each in its own order, and every cell of theirs is compared. If that person's records
// had a say in how others' are encoded, dropped, chosen or counted, the tables would differ by more cells than noise hides.

const folder = temporary()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const u = universe([
  attribute({
    kind: 'values',
    name: 's',
    values: ['a', 'A', 'é', 'e\u0301', ' a', '', '1'],
    other: true,
    closed: false,
  }),
  attribute({ kind: 'integer', name: 'n', low: -2, high: 3, closed: false }),
  attribute({ kind: 'bins', name: 'b', ...bins(['0', '0.1', '0.7', '5']), closed: true }),
  attribute({
    kind: 'date',
    name: 'd',
    from: '2020-01-01',
    to: '2020-12-31',
    by: 'month',
    format: 'YYYY-MM-DD',
    closed: false,
  }),
  attribute({ kind: 'boolean', name: 't', closed: false }),
])
function bins(edges: readonly string[]) {
  const [low, high] = [rational(0), parseRational(edges.at(-1)!)!]
  return { low, high, width: null, edges: edges.map((edge) => parseRational(edge)!), stated: [] }
}

const texts = [
  'a',
  'A',
  'é',
  'e\u0301',
  ' a',
  'a ',
  '',
  '1',
  '1.0',
  'a"b',
  '"',
  'a,b',
  'x\ny',
  'x\r\ny',
  "'",
  '\\',
  '\ufeffa',
  'NULL',
  'a'.repeat(3000),
]
const numbers = [
  '0',
  '-0',
  '0.1',
  '0.7',
  '0.69999999999999996',
  '3.5',
  '-99',
  '1e400',
  '-1e400',
  'NaN',
  'inf',
  '9007199254740993',
  ' 2 ',
  '1e',
  '',
  '0x1',
  '1_0',
  '+-5',
]
const dates = ['2020-01-31', '2020-02-30', '1066-01-01', '9999-12-31', '2020-1-1', '', '2020-06-01\n', '0000-01-01']
const truths = ['true', 'F', 'yes', '0', 'maybe', '']
const people = ['anna', 'Anna', 'anna ', '7', '7.0', 'ána', 'a\u0301na', '', 'o"b', null]

const columns = { id: 'VARCHAR', s: 'VARCHAR', n: 'VARCHAR', b: 'VARCHAR', d: 'VARCHAR', t: 'VARCHAR' }

function pairsOf(seed: number) {
  const bits = seededBits(seed)
  const below = (n: number) => uniformBelow(n, bits)
  const one = <T>(list: readonly T[]): T => list[below(list.length)]!
  const row = () => ({
    id: one(people),
    s: one(texts),
    n: one(numbers),
    b: one(numbers),
    d: one(dates),
    t: one(truths),
  })
  const shuffled = <T>(list: readonly T[]): T[] => {
    const all = [...list]
    for (let i = all.length - 1; i > 0; i--) {
      const j = below(i + 1)
      ;[all[i], all[j]] = [all[j]!, all[i]!]
    }
    return all
  }
  const rows = Array.from({ length: 1 + below(60) }, row)
  const gone = one(rows)
  // A text file has no difference between a person who is missing and one whose name is empty.
  const isGone = (other: { id: string | null }) => (other.id ?? '') === (gone.id ?? '')
  return {
    whole: { columns, rows: shuffled(rows) },
    withoutRow: { columns, rows: shuffled(rows.filter((other) => other !== gone)) },
    withoutPerson: { columns, rows: shuffled(rows.filter((other) => !isGone(other))) },
    k: 1 + below(3),
  }
}

async function cells(source: Source, unit: Unit): Promise<number[]> {
  const engine = await openEngine({ source, universe: u, unit, key: Uint8Array.of(1, 2, 3) })
  try {
    const snapshot = await engine.snapshot()
    await snapshot.full()
    const [answer] = await snapshot.answer([marginal(u.attributes.map(({ name }) => name))])
    return Array.from(open(answer!), Number)
  } finally {
    await engine.close()
  }
}

const apart = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + Math.abs(x - b[i]!), 0)

/** Compares every pair of neighbours; `write` puts a table somewhere. */
async function compare(write: (table: Table) => Promise<Source>, pairs: number, rowsEach: 1 | 2 = 1): Promise<void> {
  for (let seed = 1; seed <= pairs; seed++) {
    const { whole, withoutRow, withoutPerson, k } = pairsOf(seed)
    const [all, rowLess, personLess] = [await write(whole), await write(withoutRow), await write(withoutPerson)]
    const row = { kind: 'row' } as const
    const every = await cells(all, row)
    expect(every.reduce((a, b) => a + b, 0)).toBe(whole.rows.length)
    expect(apart(every, await cells(rowLess, row)), `seed ${seed}`).toBe(1)
    const unit = { kind: 'column', column: 'id', rows: k } as const
    // Where '' and NULL are two people, leaving both out is twice as much.
    expect(apart(await cells(all, unit), await cells(personLess, unit)), `seed ${seed}`).toBeLessThanOrEqual(
      k * rowsEach,
    )
  }
}

let files = 0
const file = (ending: string, write: (path: string, table: Table) => void | Promise<void>) => async (table: Table) => {
  const path = join(folder, `${files++}.${ending}`)
  await write(path, table)
  return { kind: 'duckdb', path } as const
}

const noPostgres = await withoutPostgres('neighbouring tables, in PostgreSQL')

describe('one person changes k cells at most, one row one', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('in CSV with %s', async (_, end) => {
    await compare(
      file('csv', (path, table) => writeCsv(path, table, end)),
      5,
    )
  })
  test('in CSV with a mark at its start, compressed in two parts', async () => {
    const write = file('csv.gz', (path, table) => {
      writeCsv(path, table)
      const text = readFileSync(path)
      const cut = text.length >> 1
      const marked = Buffer.concat([Buffer.from('\ufeff'), text.subarray(0, cut)])
      writeFileSync(path, Buffer.concat([gzipSync(marked), gzipSync(text.subarray(cut))]))
    })
    await compare(write, 5)
  })
  test('in Parquet', () => compare(file('parquet', writeParquet), 5, 2))
  test('in DuckDB', () => compare(file('duckdb', writeDatabase), 5, 2))

  describe.skipIf(noPostgres)('in PostgreSQL', () => {
    let database: PostgresDatabase
    beforeAll(async () => {
      database = await startPostgres()
    })
    afterAll(() => database.stop())
    test('in a table', async () => {
      let tables = 0
      const write = async (table: Table) => {
        const name = `t${tables++}`
        await writePostgres((sql) => database.run(sql), name, table)
        return { kind: 'postgres', url: database.url, table: name } as const
      }
      await compare(write, 5, 2)
    })
  })
})
