import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseRational, rational } from '../../numeric/index.ts'
import { sumValue } from '../cells.ts'
import { decimalText } from '../decimal-text.ts'
import type { ReticentError } from '../error.ts'
import { label } from '../label.ts'
import { loadPolicy } from './load.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reticent-policy-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const whole = `dataset: census
source: { duckdb: data/census.parquet }
privacy:
  unit: row
  neighbours: add-remove
  epsilon: 1.0
  delta: 0
  analysts: { alice: 0.5, bob: 5e-1 }
attributes:
  age:    { integer: [17, 90] }
  income: { decimal: [0, 200000], step: 1000 }
  sex:    { values: [Female, Male], closed: true }
  state:  { values: file:states.txt, other: true }
  born:   { date: [1900-01-01, 2026-12-31], by: month, format: DD.MM.YYYY }
  member: { boolean: true }
guards:
  - { query: "SELECT COUNT(*) FROM census WHERE state = 'GU' AND age > 89", within: 3, confidence: 0.9 }
ledger: { sqlite: census.ledger }
`
const load = (content: string | Uint8Array) => {
  const file = join(folder, 'reticent.yaml')
  writeFileSync(join(folder, 'states.txt'), 'GU\nNY\n')
  writeFileSync(file, content)
  return loadPolicy(file)
}
const refusal = async (promise: Promise<unknown>): Promise<ReticentError> => {
  const error = await promise.then(
    () => undefined,
    (e) => e,
  )
  expect(error?.name).toBe('ReticentError')
  return error
}
/** The mistakes as "line key: message". */
const mistakes = async (content: string | Uint8Array) => {
  const error = await refusal(load(content))
  expect(error.code).toBe('policy-invalid')
  const found = error.facts.mistakes as { line: number; key: string; message: string }[]
  expect(error.detail?.split('\n')).toHaveLength(found.length)
  return found.map((m) => `${m.line} ${m.key}: ${m.message}`)
}
/** The one mistake in the whole policy with some text replaced. */
const mistakeWith = async (from: string | RegExp, to: string) => {
  const content = whole.replace(from, to)
  expect(content).not.toBe(whole)
  const found = await mistakes(content)
  expect(found).toHaveLength(1)
  return found[0]
}

test('the example of the guide', async () => {
  const policy = await load(whole)
  const { attributes } = policy.universe
  expect(policy.file).toBe(join(folder, 'reticent.yaml'))
  expect(policy.dataset).toBe('census')
  expect(policy.source).toEqual({ kind: 'duckdb', path: join(folder, 'data/census.parquet') })
  expect(policy.ledger).toEqual({ kind: 'sqlite', path: join(folder, 'census.ledger') })
  expect(policy.privacy).toEqual({
    unit: { kind: 'row' },
    neighbours: 'add-remove',
    epsilon: rational(1),
    delta: rational(0),
    composition: 'pure',
    analysts: new Map([
      ['alice', rational(1, 2)],
      ['bob', rational(1, 2)],
    ]),
  })
  expect(attributes.map((a) => [a.name, a.kind, a.size])).toEqual([
    ['age', 'integer', 75],
    ['income', 'decimal', 202],
    ['sex', 'values', 2],
    ['state', 'values', 4],
    ['born', 'date', 127 * 12 + 1],
    ['member', 'boolean', 3],
  ])
  expect(policy.guards[0]).toMatchObject({ within: rational(3), confidence: rational(9, 10) })
  expect(policy.reviewLines).toEqual([])
})

test('numbers are read from their text, not through a double', async () => {
  const policy = await load(
    whole
      .replace('epsilon: 1.0', 'epsilon: 0.1000000000000000055511151231257827')
      .replace('delta: 0', 'delta: 1e-6')
      .replace('[0, 200000], step: 1000', '[-0.30, +.3], step: 0.1'),
  )
  expect(policy.privacy.epsilon).toEqual(parseRational('0.1000000000000000055511151231257827'))
  expect(policy.privacy.delta).toEqual(rational(1, 1_000_000))
  expect(policy.privacy.composition).toBe('zcdp')
  const income = policy.universe.attributes[1]!
  expect(Array.from({ length: income.size }, (_, code) => label(income, code))).toEqual([
    '-0.3',
    '-0.2',
    '-0.1',
    '0',
    '0.1',
    '0.2',
    '0.3',
    null,
  ])
})

test('listed values are the texts that were written', async () => {
  const policy = await load(
    whole.replace('[Female, Male]', `[1, 007, 1.50, true, No, 2020-01-01, 'null', "", "a,b", "other", ' x', é]`),
  )
  expect(policy.universe.attributes[2]).toMatchObject({
    values: ['1', '007', '1.50', 'true', 'No', '2020-01-01', 'null', '', 'a,b', 'other', ' x', 'é'],
  })
})

test('values from a file: byte order mark, CRLF, no newline at the end', async () => {
  writeFileSync(join(folder, 'v.txt'), '\ufeffA b\r\n# c\r\n3')
  const policy = await load(whole.replace('states.txt', 'v.txt'))
  expect(policy.universe.attributes[3]).toMatchObject({ values: ['A b', '# c', '3'] })
})

test('sources, units and ledgers of every kind', async () => {
  const source = async (text: string) => (await load(whole.replace('{ duckdb: data/census.parquet }', text))).source
  expect(await source('{ duckdb: "data/*.csv" }')).toEqual({ kind: 'duckdb', path: join(folder, 'data/*.csv') })
  expect(await source('{ duckdb: /a/b.duckdb, table: t }')).toEqual({ kind: 'duckdb', path: '/a/b.duckdb', table: 't' })
  expect(await source('{ duckdb: a.csv, sql: SELECT 1 }')).toMatchObject({ sql: 'SELECT 1' })
  expect(await source('{ postgres: "postgres://u@h/db", table: t, timeout: 30 }')).toEqual({
    kind: 'postgres',
    url: 'postgres://u@h/db',
    timeout: 30,
    table: 't',
  })
  expect(await source('{ postgres: env:CENSUS, sql: SELECT 1 }')).toMatchObject({ url: 'env:CENSUS', sql: 'SELECT 1' })
  expect(await source('{ trino: "https://h:8080", catalog: c, schema: s, sql: SELECT 1 }')).toEqual({
    kind: 'trino',
    url: 'https://h:8080',
    catalog: 'c',
    schema: 's',
    sql: 'SELECT 1',
  })
  const secrets = 'password: env:PW, ca: ca.pem, session: { query_max_run_time: 10m, lake.x: "a,b" }'
  expect(
    await source(`{ trino: env:TRINO, catalog: c, schema: s, table: t, version: 7193779205467739517, ${secrets} }`),
  ).toEqual({
    kind: 'trino',
    url: 'env:TRINO',
    catalog: 'c',
    schema: 's',
    table: 't',
    version: '7193779205467739517',
    password: 'env:PW',
    ca: join(folder, 'ca.pem'),
    session: { query_max_run_time: '10m', 'lake.x': 'a,b' },
  })
  const person = await load(whole.replace('unit: row', 'unit: { column: person_id, rows: 4 }'))
  expect(person.privacy.unit).toEqual({ kind: 'column', column: 'person_id', rows: 4 })
  const swap = await load(whole.replace('add-remove', 'replace-one').replace('  delta: 0\n', ''))
  expect(swap.privacy).toMatchObject({ neighbours: 'replace-one', delta: rational(0) })
  const pure = await load(whole.replace('delta: 0', 'delta: 0.01\n  composition: pure'))
  expect(pure.privacy.composition).toBe('pure')
  const shared = await load(whole.replace('{ sqlite: census.ledger }', '{ postgres: postgresql://h/db }'))
  expect(shared.ledger).toEqual({ kind: 'postgres', url: 'postgresql://h/db', schema: 'reticent_census' })
  const named = await load(whole.replace('{ sqlite: census.ledger }', '{ postgres: env:LEDGER, schema: budgets }'))
  expect(named.ledger).toEqual({ kind: 'postgres', url: 'env:LEDGER', schema: 'budgets' })
  const open = await load(whole.replace(/ {2}analysts.*\n/, '').replace(/guards:\n.*\n/, ''))
  expect([open.privacy.analysts, open.guards]).toEqual([undefined, []])
})

test('UTF-8 need not be said, and another encoding can be', async () => {
  const source = async (text: string) => (await load(whole.replace('data/census.parquet', text))).source
  expect(await source('a.csv, encoding: windows-1252')).toMatchObject({ encoding: 'windows-1252' })
  expect(await source('a.txt.gz, encoding: utf-8')).not.toHaveProperty('encoding')
})

test('names that differ by case are two attributes, and anchors work', async () => {
  const policy = await load(whole.replace('  sex: ', '  Age: &yes { boolean: true }\n  old: *yes\n  sex: '))
  expect([...policy.universe.index.keys()]).toEqual(['age', 'income', 'Age', 'old', 'sex', 'state', 'born', 'member'])
})

test('review marks are comments, in whatever place, and nothing else', async () => {
  const policy = await load(
    `# Review everything\n${whole
      .replace('[17, 90] }', '[17, 90] } # review')
      .replace('state = ', '# review ')
      .replace('[Female, Male]', '[Female, # drafted; #review\n    Male]')
      .replace('file:states.txt', '[a#review]')
      .replace('member:', '# reviewed by Ann\n  member:')}`,
  )
  expect(policy.reviewLines).toEqual([1, 11, 13])
})

test('bins have a width or edges, and perhaps values', async () => {
  const bins = async (text: string) => {
    const { universe } = await load(whole.replace('decimal: [0, 200000], step: 1000', `bins: ${text}`))
    const a = universe.attributes[1]!
    const codes = Array.from({ length: a.size - 1 }, (_, code) => code)
    return { labels: codes.map((code) => label(a, code)), values: codes.map((code) => decimalText(sumValue(a, code))) }
  }
  expect(await bins('[-0.1, 0.2], width: 0.1')).toEqual({
    labels: ['[-0.1, 0)', '[0, 0.1)', '[0.1, 0.2)'],
    values: ['-0.05', '0.05', '0.15'],
  })
  expect(await bins('[0, 10, 50.5, 600]')).toEqual({
    labels: ['[0, 10)', '[10, 50.5)', '[50.5, 600)'],
    values: ['5', '30.25', '325.25'],
  })
  expect((await bins('[0, 10, 600], values: [7.5, 31]')).values).toEqual(['7.5', '31'])
  expect((await bins('[0, 20], width: 10, values: [0, 20]')).values).toEqual(['0', '20'])
})

describe('one mistake each', () => {
  test.each<[string | RegExp, string, string | RegExp]>([
    // keys
    ['dataset: census', 'datset: census', /^1 datset: unknown key; did you mean dataset\?$/],
    ['epsilon: 1.0', 'epsilon: 1.0\n  colour: red', /^7 privacy.colour: unknown key; expected unit, epsilon, /],
    ['delta: 0', 'delta: 0\n  delta: 0', /^8 privacy.delta: the same key is already in line 7 already$/],
    ['dataset: census', 'dataset: census\n? [a]\n: b', /^2 : expected a plain key$/],
    [/ledger.*\n/, '', /^1 : ledger is missing: where the budget is kept/],
    // dataset
    ['dataset: census', 'dataset:', /^1 dataset: expected a name for SQL/],
    ['dataset: census', 'dataset: [census]', /^1 dataset: expected a name for SQL/],
    ['dataset: census', 'dataset: my-table', /^1 dataset: expected a name for SQL/],
    ['dataset: census', 'dataset: Order', /^1 dataset: Order is a reserved word/],
    // source
    [
      '{ duckdb: data/census.parquet }',
      '{ duckdb: a.csv, trino: http://h }',
      /^2 source: expected exactly one of duckdb, postgres, trino, found duckdb and trino$/,
    ],
    ['{ duckdb: data/census.parquet }', '{ }', /found none$/],
    [
      '{ duckdb: data/census.parquet }',
      'census.csv',
      /^2 source: expected a map with the keys duckdb, .*, found "census.csv"$/,
    ],
    ['data/census.parquet', '[a.csv, b.csv]', /^2 source.duckdb: expected a path or a glob/],
    ['data/census.parquet', 's3://bucket/a.csv', /found a URL$/],
    ['data/census.parquet', 'a.duckdb', /^2 source: expected exactly one of table, sql, found none$/],
    ['data/census.parquet', 'a.db, table: t, sql: SELECT 1', /found table and sql$/],
    ['data/census.parquet', 'a.csv, table: t', /^2 source.table: table: is for databases/],
    ['data/census.parquet', 'a.csv, schema: s', /^2 source.schema: schema goes with trino$/],
    ['data/census.parquet', 'a.csv, encoding: latin1', /^2 source.encoding: expected utf-8 or .*did you mean latin-1/],
    ['data/census.parquet', 'a.parquet, encoding: latin-1', /^2 source.encoding: encoding is for text files/],
    [
      'duckdb: data/census.parquet',
      'postgres: "mysql://u:secret@h", table: t',
      /^2 source.postgres: expected a URL that begins with postgresql:\/\/ or env:NAME of a variable that holds one$/,
    ],
    ['duckdb: data/census.parquet', 'postgres: "postgres://h"', /found none$/],
    [
      'duckdb: data/census.parquet',
      'postgres: "postgres://u:secret@h/d", table: t',
      /^2 source.postgres: a policy is public/,
    ],
    [
      'duckdb: data/census.parquet',
      'postgres: "postgres://h/d?password=x", table: t',
      /^2 source.postgres: a policy is public/,
    ],
    ['duckdb: data/census.parquet', 'postgres: "env:a b", table: t', /^2 source.postgres: expected a URL/],
    [
      'duckdb: data/census.parquet',
      'postgres: env:URL, table: t, timeout: 0',
      /^2 source.timeout: expected seconds, from 1/,
    ],
    ['data/census.parquet', 'a.csv, timeout: 5', /^2 source.timeout: timeout goes with postgres$/],
    ['sqlite: census.ledger', 'postgres: "postgres://u:secret@h/d"', / ledger.postgres: a policy is public/],
    ['duckdb: data/census.parquet', 'trino: "http://h", catalog: c, table: t', /^2 source: schema is missing/],
    ...(
      [
        ['"http://u:secret@h", table: t', /^2 source.trino: a policy is public: put the password into the environment/],
        [
          '"ftp://h", table: t',
          /^2 source.trino: expected a URL that begins with http:\/\/ or https:\/\/, or env:NAME$/,
        ],
        ['"http://h/path", table: t', /^2 source.trino: expected nothing behind the host and the port$/],
        [
          '"http://h", table: t, password: hunter2',
          /^2 source.password: expected env:NAME, a variable of the environment: /,
        ],
        ['"http://h", table: t, password: env:A, token: env:B', /^2 source: expected a password or a token, not both$/],
        [
          '"http://h", table: t, session: { "a b": 1 }',
          /^2 source.session."a b": expected the name of a session property$/,
        ],
      ] as const
    ).map(([trino, said]): [string, string, RegExp] => [
      'duckdb: data/census.parquet',
      `trino: ${trino}, catalog: c, schema: s`,
      said,
    ]),
    // privacy
    ['unit: row', 'unit: rows', /^4 privacy.unit: expected row, found "rows"$/],
    ['unit: row', 'unit: { column: id, rows: 1.5 }', /^4 privacy.unit.rows: expected a whole number from 1/],
    ['unit: row', 'unit: { column: id }', /^4 privacy.unit: rows is missing/],
    [
      'add-remove',
      'add-remov',
      /^5 privacy.neighbours: expected add-remove or replace-one \(did you mean add-remove\?\)/,
    ],
    [
      '  unit: row\n  neighbours: add-remove',
      '  neighbours: replace-one\n  unit: { column: id, rows: 1 }',
      /^4 privacy.neighbours: replace-one needs unit: row$/,
    ],
    [
      /duckdb: .*\n.*\n.*\n.*add-remove/,
      'duckdb: a.csv, sql: SELECT 1 }\nprivacy:\n  unit: row\n  neighbours: replace-one',
      /^5 .*: replace-one does not go with sql:/,
    ],
    ...['0', '-1', '1e-13', '1000.1', '.nan', '.inf', 'x', '"1"', '0x10', '1/2', '[1]', '', '1_000'].map(
      (bad) =>
        ['epsilon: 1.0', `epsilon: ${bad}`, /^6 privacy.epsilon: expected a number from 1e-12 to 1000, found /] as [
          string,
          string,
          RegExp,
        ],
    ),
    ['delta: 0', 'delta: 1', /^7 privacy.delta: expected a number from 0 to below 1, found "1"$/],
    ['delta: 0', 'delta: -1e-9', /^7 privacy.delta: /],
    ['delta: 0', 'delta: 0\n  composition: zcdp', /^8 privacy.composition: zcdp needs a delta above 0$/],
    ['bob: 5e-1', 'bob: 0', /^8 privacy.analysts.bob: expected a number from 1e-12 to 1000/],
    ['{ alice: 0.5, bob: 5e-1 }', '{}', /^8 privacy.analysts: expected at least one analyst/],
    // attributes
    [/attributes:\n( .*\n)*/, 'attributes: {}\n', /^9 attributes: expected at least one attribute$/],
    ['member:', '__proto__:', /^15 attributes.__proto__: an attribute cannot have this name/],
    ['member:', '"":', /^15 attributes."": an attribute cannot have this name/],
    ['{ boolean: true }', '{ boolean: false }', /^15 attributes.member.boolean: expected true, found "false"$/],
    [
      '{ boolean: true }',
      '{ boolean: true, closed: yes }',
      /^15 attributes.member.closed: expected true or false, found "yes"$/,
    ],
    [
      '{ boolean: true }',
      '{ closed: true }',
      /^15 attributes.member: expected exactly one of integer, decimal, bins, values, date, boolean, found none$/,
    ],
    ['{ boolean: true }', '{ boolean: true, integer: [1, 2] }', /found integer and boolean$/],
    [
      '{ boolean: true }',
      '{ bolean: true, values: [a] }',
      /^15 attributes.member.bolean: unknown key; did you mean boolean\?$/,
    ],
    ['{ boolean: true }', '{ boolean: true, step: 1 }', /^15 attributes.member.step: step goes with decimal$/],
    ['{ boolean: true }', '', /^15 attributes.member: expected a map with the keys integer, .*, found nothing$/],
    ['[17, 90]', '[90, 17]', /^10 attributes.age.integer: the low bound is above the high bound/],
    ['[17, 90]', '[17]', /^10 attributes.age.integer: expected \[low, high\], each a whole number, found 1 of them$/],
    ['[17, 90]', '17-90', /^10 attributes.age.integer: expected \[low, high\], each a whole number, found "17-90"$/],
    ['[17, 90]', '[17, 90.5]', /^10 attributes.age.integer\[1\]: expected a whole number, found "90.5"$/],
    ['[17, 90]', '[0, 9007199254740993]', /^10 attributes.age.integer\[1\]: expected a whole number/],
    ['[17, 90]', '[1, 100000000]', /^10 attributes.age.integer: expected at most 16777214 values/],
    [', step: 1000', '', /^11 attributes.income.decimal: step is missing/],
    ['step: 1000', 'step: 0', /^11 attributes.income.step: expected a number below 10\^15 .*, above 0, found "0"$/],
    ['step: 1000', 'step: 3000', /^11 attributes.income.step: expected a step that fits/],
    ['step: 1000', 'step: 1e-16', /^11 attributes.income.step: expected a number below/],
    ['step: 1000', 'step: 0.001', /^11 attributes.income.decimal: expected at most/],
    ['[0, 200000]', '[0, 1e15]', /^11 attributes.income.decimal\[1\]: expected a number below 10\^15/],
    ...(
      [
        ['[0]', /^11 attributes.income.bins: expected two edges or more, found 1 of them$/],
        ['[0, 10, x]', /^11 attributes.income.bins\[2\]: expected a number, found "x"$/],
        ['[0, 20, 10]', /^11 attributes.income.bins: edges must be ascending, but number 3 is not$/],
        ['[10, 0]', /^11 attributes.income.bins: the first edge must be below the last$/],
        ['[0, 10, 20], width: 10', /^11 .*bins: expected \[first edge, last edge\] beside a width, found 3 of them$/],
        ['[0, 10], width: 3', /^11 attributes.income.bins: the width must fit a whole number of times/],
        ['[0, 10], width: 0', /^11 attributes.income.width: expected a number above 0, found "0"$/],
        ['[0, 1], width: 0.0000000000000001', /^11 attributes.income.bins: edges have at most 15 digits/],
        ['[0, 123456789012, 123456789012.0001]', /^11 attributes.income.bins: edges have at most 15 digits/],
        ['[0, 1e9], width: 1', /^11 attributes.income.bins: expected at most 16777214 values/],
        ['[0, 1, 9], values: [0.5]', /^11 .*bins: expected one value for each of the 2 bins, found 1$/],
        ['[0, 1, 9], values: [0.5, 10]', /^11 attributes.income.bins: value number 2 lies outside its bin$/],
        ['[0, 1, 9], values: file:x', /^11 attributes.income.values: expected a list of values, one number per bin/],
        ['[0, 1], step: 1', /^11 attributes.income.step: step goes with decimal$/],
        ['[0, 1], integer: [0, 1]', /found integer and bins$/],
      ] as const
    ).map(([bins, expected]): [string, string, RegExp] => [
      'decimal: [0, 200000], step: 1000',
      `bins: ${bins}`,
      expected,
    ]),
    ['{ boolean: true }', '{ boolean: true, width: 1 }', /^15 attributes.member.width: width goes with bins$/],
    ['[Female, Male]', '[]', /^12 attributes.sex.values: expected at least one value$/],
    ['[Female, Male]', '[A, B, A]', /^12 attributes.sex.values: each value must be listed once; repeated: "A"$/],
    ['[Female, Male]', '[A, ~]', /^12 attributes.sex.values\[1\]: expected a value; NULL need not be listed/],
    ['[Female, Male]', '[A, [B]]', /^12 attributes.sex.values\[1\]: expected a value$/],
    ['[Female, Male]', 'Female', /^12 attributes.sex.values: expected a list of values, or file:PATH$/],
    [
      '[Female, Male]',
      '[A, other], other: true',
      /^12 attributes.sex.other: a listed value is already called "other"$/,
    ],
    ['states.txt', 'nowhere.txt', /^13 attributes.state.values: nowhere.txt: there is no such file$/],
    [
      '1900-01-01',
      '1900-02-29',
      /^14 attributes.born.date\[0\]: expected a day that exists, YYYY-MM-DD, found "1900-02-29"$/,
    ],
    ['1900-01-01', '01.01.1900', /^14 attributes.born.date\[0\]: expected a day that exists/],
    ['1900-01-01', '2027-01-01', /^14 attributes.born.date: expected the earlier date first$/],
    ['by: month', 'by: week', /^14 attributes.born.by: expected day or month or year, found "week"$/],
    ['DD.MM.YYYY', 'DD.YYYY', /^14 attributes.born.format: .*: by month needs MM$/],
    ['by: month, format: DD.MM.YYYY', 'by: year, format: DD.YYYY', /: DD needs MM$/],
    ['DD.MM.YYYY', 'YYYY-MM-MM', /: MM stands twice$/],
    ['DD.MM.YYYY', 'DD.MMM.YYYY', /: "M" is neither YYYY, MM, DD nor a separator$/],
    // guards and ledger
    ['within: 3', 'within: 0', /^17 guards\[0\].within: expected a number above 0, found "0"$/],
    ['confidence: 0.9', 'confidence: 1', /^17 guards\[0\].confidence: expected a number between 0 and 1, found "1"$/],
    [', confidence: 0.9', '', /^17 guards\[0\]: confidence is missing: a number between 0 and 1$/],
    [/guards:\n.*\n/, 'guards: { query: x }\n', /^16 guards: expected a list of guards, found a map$/],
    [
      '{ sqlite: census.ledger }',
      '{ sqlit: census.ledger, postgres: postgres://h }',
      /^18 ledger.sqlit: unknown key; did you mean sqlite\?$/,
    ],
    ['census.ledger }', '}', /^18 ledger.sqlite: expected the path of a file$/],
  ])('%s → %s', async (from, to, expected) => expect(await mistakeWith(from, to)).toMatch(expected))
})

test('all mistakes come at once, in the order of their lines', async () => {
  const found = await mistakes(
    'datset: 1\nprivacy: { epsilon: -1, unit: row, nieghbours: add-remove }\nattributes:\n  a: {}\n  b: { integer: [x, 1] }\nledger: 7\n',
  )
  expect(found.map((m) => m.replace(/(: \S+ \S+).*/, '$1'))).toEqual([
    '1 datset: unknown key;',
    '1 : source is',
    '2 privacy.nieghbours: unknown key;',
    '2 privacy.epsilon: expected a',
    '4 attributes.a: expected exactly',
    '5 attributes.b.integer[0]: expected a',
    '6 ledger: expected a',
  ])
})

test.each([
  ['{ duckdb: data/census.parquet }', 'postgres://u:secret@h/db'],
  ['{ duckdb: data/census.parquet }', '{ postgres: "mysql://u:secret@h", table: t }'],
  ['{ duckdb: data/census.parquet }', '{ duckdb: "https://u:secret@h/a.csv" }'],
  ['{ sqlite: census.ledger }', 'postgres://u:secret@h/db'],
  ['epsilon: 1.0', 'epsilon: postgres://u:secret@h/db'],
])('a URL with a password is not repeated: %s → %s', async (from, to) => {
  const error = await refusal(load(whole.replace(from, to)))
  expect(error.code).toBe('policy-invalid')
  expect(JSON.stringify([error.message, error.detail, error.hint, error.facts])).not.toContain('secret')
})

describe('what is not a YAML map', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['an empty file', '', /^1 : the file is empty$/],
    ['comments alone', '# review\n', /^1 : the file is empty$/],
    ['a text', 'census', /^1 : expected a map with the keys dataset, .*, found "census"$/],
    ['a list', '- dataset: census', /^1 : expected a map .*, found a list$/],
    [
      'a bracket left open',
      'dataset: census\nsource: { duckdb: x\nprivacy: 1\n',
      /^3 : this is not valid YAML: Flow map/,
    ],
    ['a tab', 'privacy:\n\tunit: row\n', /^2 : this is not valid YAML: Tabs are not allowed/],
    ['two documents', `${whole}---\n${whole}`, /^19 : this is not valid YAML: Source contains multiple documents/],
    ['a tag', 'dataset: !foo census\n', /^1 : this is not valid YAML: Unresolved tag/],
    ['Latin-1', Buffer.from('dataset: a\n# Größe\n', 'latin1'), /^2 : line 2 is not UTF-8$/],
    ['UTF-16', Buffer.from('\ufeffdataset: a\n', 'utf16le'), /^1 : line 1 is not UTF-8$/],
  ])('%s', async (_, content, expected) => {
    const found = await mistakes(content)
    expect(found[0]).toMatch(expected)
  })
})

test('no file, a folder', async () => {
  const none = await refusal(loadPolicy(join(folder, 'none.yaml')))
  expect([none.code, none.hint]).toEqual(['policy-missing', expect.stringContaining('reticent init DATA')])
  mkdirSync(join(folder, 'sub'), { recursive: true })
  const sub = await refusal(loadPolicy(join(folder, 'sub')))
  expect([sub.code, sub.detail]).toEqual(['policy-invalid', 'line 1: this is a folder, not a file'])
})

test.each([
  ['A\n\nB\n', 'line 2 is empty'],
  ['', 'expected at least one value'],
  ['A\nA\r\n', 'repeated: "A"'],
  [Buffer.from('A\n\xe9\n', 'latin1'), 'line 2 is not UTF-8'],
])('a file of values that is wrong: %j', async (content, expected) => {
  writeFileSync(join(folder, 'bad.txt'), content)
  expect(await mistakeWith('states.txt', 'bad.txt')).toContain(expected)
})
