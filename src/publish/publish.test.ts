import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import type { MarginalTable, MarginalTables } from '../release/index.ts'
import { type Attribute, attribute } from '../schema/index.ts'
import { csvOf } from './csv.ts'
import { fileNames } from './file-names.ts'
import { type Folder, openFolder } from './folder.ts'
import { publish } from './publish.ts'
import { reportOf } from './report/report.ts'
import { agreementOf } from './summary.ts'

const nasty = [
  'plain',
  'a,b',
  'say "hi"',
  'two\nlines',
  '',
  ' edge',
  '=1+1',
  '<script>alert(1)</script>',
  "it's & more",
]
const words = attribute({ kind: 'values', name: 'words', values: nasty, other: false, closed: false })
const age = attribute({ kind: 'integer', name: 'age', low: -1, high: 1, closed: true })
const born = attribute({
  kind: 'date',
  name: 'born',
  from: '2020-01-01',
  to: '2020-03-31',
  by: 'month',
  format: 'YYYY-MM-DD',
  closed: true,
})

function tableOf(attributes: readonly Attribute[], seed = 1): MarginalTable {
  const cells = attributes.reduce((product, { size }) => product * size, 1)
  const numbers = (of: (i: number) => number) => Float64Array.from({ length: cells }, (_, i) => of(i))
  const combined = numbers((i) => ((i * 7 * seed) % 11) - 2 + 1 / 3)
  return {
    attributes,
    counts: numbers((i) => Math.max(0, Math.round(combined[i]!))),
    combined,
    within: 4.5,
    measured: {
      values: combined.map(Math.round),
      within: 6,
      scale: 2,
      deviation: 2.8,
      answers: [{ law: 'laplace', scale: 2 }],
      epsilon: 0.5,
    },
    expected: { measured: 0.4, counts: 0.2, zeros: 0.9 },
  }
}
const release = (tables: readonly MarginalTable[], options: Partial<MarginalTables> = {}): MarginalTables => ({
  dataset: '<b>people</b>',
  method: 'ireduct',
  noise: 'laplace',
  epsilon: 1,
  delta: 0,
  neighbours: 'add-remove',
  records: { count: 100, from: 'public' },
  floor: 0.01,
  raw: false,
  total: 100,
  tables,
  expected: { measured: 0.4, counts: 0.2, zeros: 0.9 },
  warnings: [],
  receipt: '5:abc',
  ...options,
})
const csv = (table: MarginalTable, raw = false) =>
  [...csvOf(table, { raw, neighbours: 'add-remove', total: 0 })].join('')
const somewhere = () => join(mkdtempSync(join(tmpdir(), 'reticent-')), 'tables')

async function read(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const rows = (await connection.runAndReadAll(sql)).getRowsJson()
  connection.closeSync()
  instance.closeSync()
  return rows
}

describe('CSV', () => {
  test('has a line per cell, labels and numbers', () => {
    expect(csv(tableOf([age])).split('\n')).toEqual([
      'age,count,combined,measured,scale,low,high',
      '-1,0,-1.6666666666666667,-2,2,0,2.833',
      '0,5,5.333333333333333,5,2,0.833,9.833',
      '1,1,1.3333333333333333,1,2,0,5.833',
      '',
    ])
    expect(
      csv(tableOf([age]), true)
        .split('\n')
        .slice(0, 3),
    ).toEqual(['age,measured,scale,low,high', '-1,-2,2,0,4', '0,5,2,0,11'])
    const { measured: _, ...never } = tableOf([age])
    expect(csv(never).split('\n')[2]).toBe('0,5,5.333333333333333,,,0.833,9.833')
  })

  test('says the same to a reader whatever the labels are; NULL is not the empty text', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'reticent-')), 'words.csv')
    writeFileSync(file, csv(tableOf([words])))
    const columns = `{words: 'VARCHAR', ${['count', 'combined', 'measured', 'scale', 'low', 'high'].map((c) => `${c}: 'DOUBLE'`).join(', ')}}`
    const rows = await read(
      `SELECT words FROM read_csv('${file}', columns = ${columns}, header = true, auto_detect = false, nullstr = '', allow_quoted_nulls = false)`,
    )
    expect(rows.map(([label]) => label)).toEqual([...nasty, null])
  })

  test('an attribute called count keeps its name', () => {
    const count = attribute({ kind: 'boolean', name: 'count', closed: true })
    expect(csv(tableOf([count])).split('\n')[0]).toBe('count,count_,combined,measured,scale,low,high')
  })
})

test('file names say what is inside, are harmless, and differ', () => {
  const named = (...names: string[]) => ({ attributes: names.map((name) => ({ ...age, name })) })
  expect(
    fileNames([named('age', 'sex'), named('Age', 'sex'), named('../etc', 'a b'), named('report'), named('é')]),
  ).toEqual(['age_by_sex', 'Age_by_sex_2', '_._etc_by_a_b', 'report_2', '_'])
  const long = fileNames([named('x'.repeat(300)), named(`${'x'.repeat(300)}y`)])
  expect(long.every((name) => name.length < 200)).toBe(true)
  expect(new Set(long).size).toBe(2)
})

describe('a folder', () => {
  test('is refused where it is there already, or cannot be made', async () => {
    const there = somewhere()
    mkdirSync(there)
    await expect(openFolder(there)).rejects.toMatchObject({ code: 'usage' })
    writeFileSync(join(there, 'file'), '')
    await expect(openFolder(join(there, 'file', 'below'))).rejects.toMatchObject({ code: 'usage' })
    expect(readdirSync(there)).toEqual(['file'])
  })

  test('is refused where a link leads nowhere: nothing could be put in its place', async () => {
    const path = somewhere()
    symlinkSync(join(path, '..', 'nowhere'), path)
    await expect(openFolder(path)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('exists already'),
    })
  })

  test('is one process at a time', async () => {
    const path = somewhere()
    const first = await openFolder(path)
    await expect(openFolder(path)).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('another') })
    // The one that was refused has not touched what the other one writes to.
    await publish(release([tableOf([age])]), { folder: first, format: 'csv' })
    expect(readdirSync(path)).toContain('age.csv')
    const again = await openFolder(join(path, '..', 'second'))
    await again.discard()
    await (await openFolder(join(path, '..', 'second'))).discard()
  })

  test('comes into being with everything in it, or leaves nothing', async () => {
    const path = somewhere()
    const folder = await openFolder(path)
    expect(existsSync(path)).toBe(false)
    const broken: Folder = { ...folder, file: (name) => (name === 'report.html' ? '/dev/null/no' : folder.file(name)) }
    await expect(publish(release([tableOf([age])]), { folder: broken, format: 'csv' })).rejects.toThrow()
    expect(existsSync(path)).toBe(false)
    await folder.discard()
    expect(readdirSync(join(path, '..'))).toEqual([])

    const stopped = publish(release([tableOf([age])]), { folder, format: 'csv', signal: AbortSignal.abort() })
    await expect(stopped).rejects.toThrow('aborted')
    expect(existsSync(path)).toBe(false)
    await folder.discard()

    const whole = await openFolder(path)
    const summary = await publish(release([tableOf([age]), tableOf([age, words])]), {
      folder: whole,
      format: 'csv',
    })
    expect(readdirSync(path).sort()).toEqual(['age.csv', 'age_by_words.csv', 'release.json', 'report.html'])
    expect(JSON.parse(readFileSync(join(path, 'release.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(summary)))
    expect(summary).toMatchObject({
      method: 'ireduct',
      tables: [{ file: 'age.csv', cells: 3, scale: 2, answers: [{ law: 'laplace', scale: 2 }] }, { cells: 30 }],
    })
    expect(readdirSync(join(path, '..'))).toEqual(['tables'])
  })
})

test('Parquet has the rows of the CSV, with types', async () => {
  const path = somewhere()
  await publish(release([tableOf([age, words, born])]), { folder: await openFolder(path), format: 'parquet' })
  const file = join(path, 'age_by_words_by_born.parquet')
  expect(readdirSync(path)).toContain('age_by_words_by_born.parquet')
  expect(readdirSync(path).filter((name) => name.endsWith('.csv'))).toEqual([])
  expect(await read(`SELECT column_name, column_type FROM (DESCRIBE FROM '${file}')`)).toEqual([
    ['age', 'BIGINT'],
    ['words', 'VARCHAR'],
    ['born', 'DATE'],
    ['count', 'BIGINT'],
    ['combined', 'DOUBLE'],
    ['measured', 'DOUBLE'],
    ['scale', 'DOUBLE'],
    ['low', 'DOUBLE'],
    ['high', 'DOUBLE'],
  ])
  expect(await read(`SELECT DISTINCT words FROM '${file}' WHERE words = '' OR words IS NULL ORDER BY 1`)).toEqual([
    [''],
    [null],
  ])
  const { counts } = tableOf([age, words, born])
  expect(await read(`SELECT sum(count)::DOUBLE, count(*)::DOUBLE FROM '${file}'`)).toEqual([
    [counts.reduce((a, b) => a + b), counts.length],
  ])
})

test('the count is whole in Parquet whatever its column is called', async () => {
  const path = somewhere()
  const count = attribute({ kind: 'boolean', name: 'count', closed: true })
  await publish(release([tableOf([count])]), { folder: await openFolder(path), format: 'parquet' })
  expect(
    await read(`SELECT column_name, column_type FROM (DESCRIBE FROM '${join(path, 'count.parquet')}') LIMIT 3`),
  ).toEqual([
    ['count', 'BOOLEAN'],
    ['count_', 'BIGINT'],
    ['combined', 'DOUBLE'],
  ])
})

describe('the report', () => {
  const wide = attribute({ kind: 'integer', name: 'wide', low: 0, high: 499, closed: false })
  const many = attribute({
    kind: 'values',
    name: 'many',
    values: Array.from({ length: 300 }, (_, i) => `<i>${i}</i>`),
    other: true,
    closed: true,
  })
  const all = release(
    [tableOf([words]), tableOf([wide]), tableOf([wide, many]), tableOf([age, words]), tableOf([age, words, born])],
    {
      warnings: ['<u>mostly</u> noise'],
    },
  )
  const page = reportOf(all, ['a.csv', 'b.csv', 'c.csv', '"><img src=x>.csv', 'e.csv'])

  test('loads nothing, runs nothing, and takes no label for markup', () => {
    expect(page).not.toMatch(/<script|<img|<i>\d|<b>people|<u>|javascript:|https?:|@import|url\(/i)
    expect(page).toContain('&#60;b&#62;people')
    expect(page).toContain('&#60;script&#62;')
  })

  test('is well formed where it has pictures, and small', () => {
    const pictures = [...page.matchAll(/<svg.*?<\/svg>/gs)].map(([svg]) => svg)
    expect(pictures).toHaveLength(4)
    for (const svg of pictures) {
      expect(svg).not.toContain('NaN')
      for (const tag of ['g', 'text', 'svg', 'title'])
        expect(svg.split(`<${tag}`).length, tag).toBe(svg.split(`</${tag}>`).length)
    }
    expect(page.length).toBeLessThan(300_000)
  })

  test('has whole numbers in its tooltips, and says that an interval is for one cell', () => {
    const table = tableOf([age])
    const large = { ...table, counts: table.counts.map((c) => 1112 + c), combined: table.combined.map((c) => 1112 + c) }
    const shown = reportOf(release([large]), ['age.csv'])
    // 1112 - 5/3 and 4.5 to either side, rounded outwards.
    expect(shown).toContain('<title>-1: 1,112 (95%: 1,105 … 1,115)</title>')
    expect(shown).toContain('each cell by itself within ±4.5 (95%)')
  })

  test('shows what the number of records cost, and both numbers where the tables tell another one', () => {
    const records = { count: 1956, from: 'bought', epsilon: 0.01, scale: 100 } as const
    const noisy = release([tableOf([age])], { records, total: 1866 })
    const shown = reportOf(noisy, ['age.csv'])
    expect(shown).toMatch(
      /<td>the number of records<\/td><td class="n">1<\/td>.*<td class="n">0.01<\/td><td class="n">100</,
    )
    expect(shown).toContain('<b>1,866</b><small>the total of the tables; scales were computed from 1,956, bought')
    expect(agreementOf(noisy).at(-1)).toContain(
      'computed from 1,956; the tables estimate it better, and add up to 1,866',
    )
    const known = release([tableOf([age])])
    expect(reportOf(known, ['age.csv'])).not.toContain('the number of records<')
    expect(reportOf(known, ['age.csv'])).toContain('<b>100</b><small>public')
  })

  test('says what it put together, and warns', () => {
    expect(page).toContain('wide: 11 values at a time; many: the 47 commonest of 301')
    expect(page).toContain('class="warning"')
    expect(page).toContain('by bootstrap, from the released values')
  })
})
