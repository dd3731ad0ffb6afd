import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { connect } from './session.ts'
import { readHeader } from './text-header.ts'
import { isWellFormed, scanText } from './text-scan.ts'
import { createRecords } from './views.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-text-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'any.csv')

/** RFC 4180 in its most obvious form: the records behind the header, for a text in which nothing is wrong. */
function fieldsOf(text: string, columns: number): string[][] {
  const field = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|\r|\n|$)/y
  const records: string[][] = []
  while (field.lastIndex < text.length) {
    const from = field.lastIndex
    const record: string[] = []
    let end = ','
    while (end === ',') {
      const [, quoted, plain, separator] = field.exec(text)!
      record.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
      end = separator!
    }
    const empty = field.lastIndex === from + end.length
    if (!empty || columns === 1) records.push(record)
  }
  return records.slice(1)
}

test('the twin reads quotes, line ends and empty lines', () => {
  expect(fieldsOf('x,y\r\n1,"a""\r\nb,"\n\n,\n"",é', 2)).toEqual([
    ['1', 'a"\r\nb,'],
    ['', ''],
    ['', 'é'],
  ])
  expect(fieldsOf('x\r\r1\r""', 1)).toEqual([[''], ['1'], ['']])
})

const ends = ['\n', '\r\n', '\r']
const plain = ['a', 'ab', '', ' ', 'é', ' a', '\t', ' "', ' "a"', "'", '\\', '#', 'a"b', 'NULL', '\0']
const quoted = ['"a"', '""', '"a""b"', '"a\nb"', '"a,b"', '"a\r\nb"', '"\r"', '"a\rb"', '"\\"', '""""', '" a"', '"\n"']
/** Mostly one kind of line end, so that enough files pass; pieces that no writer would write, so that not all do. */
const anyText = fc.tuple(fc.constantFrom(1, 2), fc.constantFrom(...ends)).chain(([columns, end]) => {
  const anEnd = fc.oneof({ weight: 12, arbitrary: fc.constant(end) }, fc.constantFrom(...ends))
  const aField = fc.oneof(fc.constantFrom(...plain), fc.constantFrom(...quoted))
  const fields = fc.array(aField, { minLength: columns, maxLength: columns }).map((f) => f.join(','))
  const wild = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', '\t', '\\', '\0'), maxLength: 5 })
  const line = fc.oneof({ weight: 15, arbitrary: fields }, { weight: 1, arbitrary: wild }, fc.constant(''))
  const body = fc.array(fc.tuple(line, anEnd), { maxLength: 6 }).map((lines) => lines.flat().join(''))
  return fc.record({
    columns: fc.constant(columns),
    text: fc
      .tuple(anEnd, body, fc.oneof(fields, fc.constant('')))
      .map(([first, most, last]) => `${['x', 'x,y'][columns - 1]}${first}${most}${last}`),
  })
})

test('whatever the full check accepts, DuckDB reads as RFC 4180 says', async () => {
  const session = await connect()
  const file = { path, real: path, name: 'any.csv' }
  const files = { format: 'text', all: [file] } as const
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(anyText, async ({ columns, text }) => {
      writeFileSync(path, text)
      const report = await scanText(file, await readHeader(file))
      if (!isWellFormed(report)) return
      await createRecords(session, { kind: 'duckdb', path }, files)
      const read = await session.connection.runAndReadAll('FROM temp.main.records').catch(() => undefined)
      await session.connection.run('DROP VIEW temp.main.records')
      const found = read?.getRowsJS().map((row) => row.map((value) => value ?? ''))
      if (found?.length !== report.records) return
      accepted++
      expect(found).toEqual(fieldsOf(text, columns))
    }),
    { numRuns: 100 },
  )
  await session.close()
  // About four in five; a check that accepts nothing would prove nothing.
  expect(accepted).toBeGreaterThan(50)
})
