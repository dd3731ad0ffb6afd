import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { toNumber } from '../../../numeric/index.ts'
import { type BinsAttribute, binEdge, binValue, loadPolicy, valueCount } from '../../../schema/index.ts'
import { openEngine } from '../index.ts'
import { draftPolicy, inspect, inspectAgainst } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-inspect-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)
const duckdb = (path: string) => ({ kind: 'duckdb', path }) as const
const write = (name: string, text: string) => {
  writeFileSync(at(name), text)
  return at(name)
}

const people = Array.from({ length: 300 }, (_, i) => {
  const age = 18 + (i % 70)
  const day = `${String(1 + (i % 28)).padStart(2, '0')}.${String(1 + (i % 12)).padStart(2, '0')}.${1950 + (i % 50)}`
  const height = (1.5 + (i % 40) / 100).toFixed(2)
  const word = ['red', 'blue', 'no', '7', 'a: b'][i % 5]
  return `${i + 1000},name ${i},${age},${height},${word},${i % 2 === 0 ? 'yes' : 'no'},${day},0${i % 60},,note ${i % 150}`
})
const header = 'person_id,name,age,height,colour,member,born,zip,nothing,note'
const csv = `${header}\n${people.join('\n')}\n`

const draftText = async (...of: Parameters<typeof draftPolicy>) => (await draftPolicy(...of)).text!

describe('a draft', () => {
  test('guesses each column, marks every guess, and loads once the marks are gone', async () => {
    const text = await draftText(duckdb(write('people.csv', csv)), 'people.csv')
    const line = (name: string) => text.split('\n').find((l) => l.trim().startsWith(name) || l.includes(`# ${name}:`))!
    expect(line('dataset')).toBe('dataset: people')
    expect(line('age')).toBe('  age: { integer: [10, 90] } # review')
    expect(line('height')).toBe('  height: { decimal: [1.50, 1.90], step: 0.01 } # review')
    expect(line('colour')).toBe('  colour: { values: ["7", "a: b", blue, "no", red], other: true } # review')
    expect(line('member')).toBe('  member: { boolean: true } # review')
    expect(line('born')).toBe('  born: { date: [1950-01-01, 1999-12-31], by: month, format: DD.MM.YYYY } # review')
    expect(line('zip')).toMatch(/values: \["00", "01", .*other: true \} # review/)
    for (const name of ['person_id', 'name']) expect(line(name)).toContain('looks like an identifier')
    for (const name of ['nothing', 'note']) expect(line(name)).toContain('left out')
    expect(line('unit')).toContain('{ column: person_id, rows: 4 }')

    const marked = await loadPolicy(write('marked.yaml', text))
    const lines = text.split('\n')
    expect(marked.reviewLines).toEqual(lines.flatMap((l, i) => (/# review/.test(l) ? [i + 1] : [])))
    const policy = await loadPolicy(write('reviewed.yaml', text.replaceAll(/ # review.*/g, '')))
    expect(policy.reviewLines).toEqual([])
    expect(policy.universe.attributes.map((a) => a.name)).toEqual(['age', 'height', 'colour', 'member', 'born', 'zip'])
    const engine = await openEngine({ ...policy, unit: policy.privacy.unit, key: new Uint8Array(32) })
    await engine.close()
    // A draft fits the data that it comes from.
    for (const a of (await inspectAgainst(policy)).attributes)
      expect(a).toMatchObject({ nulls: 0, unparsable: 0, unlisted: 0, clamped: 0, moved: 0 })
  })

  test('reads native types', async () => {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(`COPY (SELECT i % 7 AS day, i % 2 = 0 AS even, DATE '2000-03-05' + (i % 900)::INTEGER AS seen,
      (i % 500) * 1e6 AS salary, 'x' || (i % 3) AS kind FROM range(2000) t(i)) TO '${at('order.parquet')}'`)
    connection.closeSync()
    instance.closeSync()
    const text = await draftText(duckdb(at('order.parquet')), 'order.parquet')
    expect(text).toContain('dataset: data_order')
    expect(text).toContain('  day: { integer: [0, 6] } # review')
    expect(text).toContain('  even: { boolean: true } # review')
    expect(text).toContain('  seen: { date: [2000-01-01, 2002-12-31], by: month, format: YYYY-MM-DD } # review')
    expect(text).toContain('  salary: { bins: [0, 500000000], width: 2000000 } # review')
    expect(text).toContain('  kind: { values: [x0, x1, x2], other: true } # review')
    await loadPolicy(write('native.yaml', text))
  })

  /** Uniform on [0, 1), the same on every run: the golden ratio's multiples. */
  const even = (i: number) => (i * 0.6180339887498949) % 1
  const normal = (i: number) => Math.sqrt(-2 * Math.log(1 - even(i))) * Math.cos(2 * Math.PI * even(7 * i + 3))
  const continuous: { readonly [name: string]: (i: number) => string } = {
    fares: (i) => (-32 * Math.log(1 - even(i))).toFixed(4),
    incomes: (i) => Math.exp(10 + 1.1 * normal(i)).toFixed(2),
    gains: (i) => (i % 10 > 0 ? '0' : Math.exp(6 + 3.5 * normal(i)).toFixed(0)),
    changes: (i) => String((i % 2 === 0 ? -1 : 1) * (i > 2 ? 100 * even(i) : 1.13e6)),
    tiny: (i) => (1e-5 * even(i)).toExponential(9),
    far: (i) => String(1_000_000 + even(i)),
  }
  test('of numbers without a precision has bins at round edges, whose middles keep a sum within 1%', async () => {
    const names = Object.keys(continuous)
    const rows = Array.from({ length: 4000 }, (_, i) => names.map((n) => continuous[n]!(i + 1)))
    const data = write('continuous.csv', [names, ...rows].map((row) => `${row.join(',')}\n`).join(''))
    const text = await draftText(duckdb(data), 'continuous.csv')
    const line = (name: string) => text.split('\n').find((l) => l.startsWith(`  ${name}: `))!
    expect(line('fares')).toBe('  fares: { bins: [0, 300], width: 1 } # review')
    expect(line('incomes')).toMatch(/bins: \[0, \d000000?\], width: 1000 \}/)
    expect(line('gains')).toMatch(/bins: \[0, 10, 12, 14, .*, 90, 100, 120, .*\] \}/)
    expect(line('changes')).toMatch(/bins: \[-1\d+, .* -1, 0, 1, .*, 1\d+\] \}/)
    const policy = await loadPolicy(write('continuous.yaml', text.replaceAll(/ # review.*/g, '')))
    for (const a of (await inspectAgainst(policy)).attributes) expect(a).toMatchObject({ unparsable: 0, clamped: 0 })
    for (const [column, attribute] of policy.universe.attributes.entries()) {
      const a = attribute as BinsAttribute
      const bins = Array.from({ length: valueCount(a) }, (_, bin) => bin)
      const ends = bins.map((bin) => [toNumber(binEdge(a, bin)), toNumber(binValue(a, bin))] as const)
      const middle = (value: number) => ends.findLast(([edge]) => edge <= value)![1]
      const values = rows.map((row) => Number(row[column]))
      const size = values.reduce((sum, v) => sum + Math.abs(v), 0)
      const off = values.reduce((sum, v) => sum + middle(v) - v, 0)
      expect(Math.abs(off) / size, a.name).toBeLessThan(0.01)
    }
  })

  test('of numbers among which some are none says so, and what to do about a decimal comma', async () => {
    const rows = Array.from(
      { length: 2000 },
      (_, i) => `${i % 50 === 7 ? 'n/a' : (i * 0.123456789).toFixed(6)};${i % 500},${i % 90}`,
    )
    const data = write('messy.csv', `weight;price\n${rows.join('\n')}\n`)
    const text = await draftText(duckdb(data), 'messy.csv')
    expect(text).toContain(
      'weight: { bins: [0, 300], width: 2 } # review: some values are not numbers, and would count as NULL',
    )
    const [, sql] = /price: left out, its numbers have a decimal comma; in the source say: sql: (.*)$/m.exec(text)!
    const again = await draftText({ ...duckdb(data), sql: JSON.parse(sql!) }, 'messy.csv')
    expect(again).toContain('price: { decimal: [0.00, 500.00], step: 0.01 } # review')
  })

  test('leaves out what is called a number of somebody, and in a small table the names of its people', async () => {
    const rows = Array.from({ length: 1200 }, (_, i) => `${70_000 + (i % 300) * 41},${i % 9 === 0 ? 'n/a' : i / 7}`)
    const many = await draftText(duckdb(write('orders.csv', `Kunden-Nr,amount\n${rows.join('\n')}\n`)), 'orders.csv')
    expect(many).toContain('# Kunden-Nr: left out, it looks like an identifier')
    expect(many).toMatch(/ {2}amount: \{ bins: .* some values are not numbers/)
    const staff = Array.from({ length: 12 }, (_, i) => `Person ${i},${['red', 'blue', 'green'][i % 3]}`)
    const small = await draftText(duckdb(write('staff.csv', `name,team\n${staff.join('\n')}\n`)), 'staff.csv')
    expect(small).toContain('# name: left out, it looks like an identifier')
    expect(small).toContain('  team: { values: [blue, green, red], other: true } # review')
  })

  test('of texts with a time of day takes the days, and names who is in several records', async () => {
    const rows = Array.from({ length: 1500 }, (_, i) => {
      const day = `202${i % 3}-0${1 + (i % 9)}-1${i % 10}`
      return `${5000 + i},C${i % 400},${day} ${10 + (i % 13)}:05:59,${i % 2 ? `${day}T07:30` : ''}`
    })
    const data = write('timed.csv', `order_id,customer_id,ordered_at,"sent ""at"""\n${rows.join('\n')}\n`)
    const text = await draftText(duckdb(data), 'timed.csv')
    expect(text).toContain('{ column: customer_id, rows: 4 }')
    expect(text).toContain('# customer_id: left out, it looks like an identifier')
    expect(text).toContain('ordered_at: { date: [2020-01-01, 2022-12-31], by: month, format: YYYY-MM-DD } # review')
    const policy = await loadPolicy(write('timed.yaml', text.replaceAll(/ # review.*/g, '')))
    const { attributes } = await inspectAgainst(policy)
    expect(attributes.map(({ name, nulls, unparsable, clamped }) => [name, nulls, unparsable, clamped])).toEqual([
      ['ordered_at', 0, 0, 0],
      ['sent "at"', 750, 0, 0],
    ])
    // The owner's own SQL stays as it is.
    const viewed = await draftText({ ...duckdb(data), sql: 'SELECT * FROM source' }, 'timed.csv')
    expect(viewed).toContain('# ordered_at: left out, its texts have a time of day')
  })

  test('asks whether 999 stands for a missing value, where it is far above all others', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => `${i % 40 ? i % 99 : 999},${i % 40 ? i * 3 : 999},${i % 100}`)
    const data = write('codes.csv', `age,score,percent\n${rows.join('\n')}\n`)
    const text = await draftText(duckdb(data), 'codes.csv')
    expect(text).toMatch(/percent: \{ integer: \[0, 100\] \} # review$/m)
    expect(text).not.toContain('does 1497 stand')
    const [, sql] = /age: .* does 999 stand for a missing value\? The next is 98; in the source say: sql: (.*)$/m.exec(
      text,
    )!
    expect(await draftText({ ...duckdb(data), sql: JSON.parse(sql!) }, 'codes.csv')).toContain(
      'age: { integer: [0, 100] }',
    )
  })

  test('of a broken file there is none, and it says why', async () => {
    const { text, files } = await draftPolicy(duckdb(write('ragged.csv', 'a,b\n1\n')))
    expect([text, files[0]!.firstRagged]).toEqual([undefined, 2])
  })
})

test('an inspection tells rows, columns, NULLs and values', async () => {
  const { rows, columns, readable } = await inspect(duckdb(write('few.csv', 'a,b\n1,x\n2,\n,x\n')))
  expect({ rows, readable }).toEqual({ rows: 3, readable: true })
  expect(columns).toMatchObject([
    {
      name: 'a',
      type: 'VARCHAR',
      nulls: 1,
      distinct: 2,
      values: ['1', '2'],
      numbers: { low: 1, high: 2, decimals: 0 },
    },
    { name: 'b', nulls: 1, distinct: 1, values: ['x'], truth: false },
  ])
})

describe('held against a policy', () => {
  const policy = async (data: string, name: string) =>
    loadPolicy(
      write(
        `${name}.yaml`,
        `dataset: t
source: { duckdb: ${write(`${name}.csv`, data)} }
privacy: { unit: { column: who, rows: 2 }, epsilon: 1.0 }
attributes:
  age: { integer: [17, 90] }
  share: { decimal: [0, 1], step: 0.1, closed: true }
  sex: { values: [Female, Male], closed: true }
  state: { values: [AC, AL], other: true }
  born: { date: [1900-01-01, 1999-12-31], by: year, format: DD.MM.YYYY }
ledger: { sqlite: t.ledger }
`,
      ),
    )
  const columns = 'who,age,share,sex,state,born'

  test('every kind of misfit is counted', async () => {
    const rows = [
      'a,42,0.5,Female,AC,01.01.1950',
      'a,16,NaN,male,XX,01.01.2050',
      'a,91.5,x,,YY,1.1.1950',
      'b,many,-0.1,Male,,31.02.1950',
      'c,30.2,0.25,Male,AC,01.01.1951',
      'c,30.0,0.30000000000000004,Male,AC,01.01.1951',
      ',,,Male,AL,',
    ]
    const report = await inspectAgainst(await policy([columns, ...rows, ''].join('\n'), 'misfit'))
    expect(report).toMatchObject({ readable: true, rows: 7, missing: [], beyondUnit: 1 })
    expect(report.attributes).toEqual([
      { name: 'age', closed: false, nulls: 1, unparsable: 1, unlisted: 0, clamped: 2, moved: 1 },
      { name: 'share', closed: true, nulls: 1, unparsable: 2, unlisted: 0, clamped: 1, moved: 1 },
      { name: 'sex', closed: true, nulls: 1, unparsable: 0, unlisted: 1, clamped: 0, moved: 0 },
      { name: 'state', closed: false, nulls: 1, unparsable: 0, unlisted: 2, clamped: 0, moved: 0 },
      { name: 'born', closed: false, nulls: 1, unparsable: 2, unlisted: 0, clamped: 1, moved: 0 },
    ])
  })

  test('missing columns are named, and broken files told apart', async () => {
    const report = await inspectAgainst(await policy('who,age,share,sex,State,State\n', 'missing'))
    expect(report.missing).toEqual(['state', 'born'])
    expect(report.columns).toEqual(['who', 'age', 'share', 'sex'])
    expect(report.files[0]!.duplicates).toEqual(['State'])
    const broken = await inspectAgainst(await policy(`${columns}\n1,2\n`, 'ragged'))
    expect(broken).toMatchObject({ readable: false, files: [{ ragged: 1, firstRagged: 2, wellFormed: false }] })
    const mixed = await inspectAgainst(await policy(`${columns}\r\na,1,1,x,AC,\rb,1,1,x,AC,\r\n`, 'mixed'))
    expect(mixed).toMatchObject({ readable: false, files: [{ mixedEnds: 2, ragged: 0, wellFormed: false }] })
  })
})
