// How long a draft of a policy takes, and numbers in bins beside numbers on a grid: 40,000 rows of 14 columns of text, and 2 million numbers.
import { mkdirSync, writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { rational } from '../src/numeric/index.ts'
import { attribute } from '../src/schema/index.ts'
import { duckdb } from '../src/trusted/engine/duckdb/dialect.ts'
import { draftPolicy } from '../src/trusted/engine/inspect/index.ts'
import { codeSql } from '../src/trusted/engine/sql/index.ts'
import { best, check, type Figure, interleaved, report } from './harness.ts'

const folder = new URL('../.bench/', import.meta.url).pathname
mkdirSync(folder, { recursive: true })

/** The golden ratio's multiples: even, and the same on every run. */
const share = (i: number, k: number) => (i * 0.6180339887498949 * (2 * k + 1)) % 1
const columns: ((i: number) => string | number)[] = [
  (i) => 100_000 + i,
  (i) => 17 + Math.floor(73 * share(i, 1)),
  (i) => ['Private', 'Gov', 'Self', '?'][i % 4]!,
  (i) => Math.exp(10 + 4 * (share(i, 2) - 0.5)).toFixed(2),
  (i) => ['HS', 'BA', 'MA', 'PhD', 'None'][i % 5]!,
  (i) => i % 17,
  (i) => (i % 2 === 0 ? 'Female' : 'Male'),
  (i) => (150 + 50 * share(i, 3)).toFixed(1),
  (i) => (40 + 90 * share(i, 4)).toFixed(3),
  (i) => `${String(1 + (i % 28)).padStart(2, '0')}.${String(1 + (i % 12)).padStart(2, '0')}.${1930 + (i % 80)}`,
  (i) => (i % 3 === 0 ? 'yes' : 'no'),
  (i) => (i % 10 === 0 ? '' : (-32 * Math.log(1 - share(i, 5))).toFixed(4)),
  (i) => `town ${i % 300}`,
  (i) => (i % 10 > 0 ? 0 : Math.exp(10 * share(i, 6)).toFixed(0)),
]
const path = `${folder}init.csv`
const lines = Array.from({ length: 40_000 }, (_, i) => columns.map((column) => column(i + 1)).join(','))
writeFileSync(path, `${columns.map((_, k) => `c${k}`).join(',')}\n${lines.join('\n')}\n`)
const draft = await best(() => draftPolicy({ kind: 'duckdb', path }))
check(draft.value.text!.includes('c11: { bins: [0, '), 'continuous numbers are drafted in bins')
const drafted: Figure[] = [
  { what: 'a draft from 40,000 × 14 fields of text', value: draft.milliseconds, unit: 'ms', atMost: 2000 },
]

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
await connection.run('CREATE TABLE t AS SELECT random() * 500 AS x FROM range(2_000_000)')
const common = { name: 'x', closed: false, low: rational(0), high: rational(500) } as const
const even = attribute({ kind: 'bins', ...common, width: rational(1, 2), edges: [], stated: [] })
const edges = Array.from({ length: 101 }, (_, i) => rational(5 * i))
const given = attribute({ kind: 'bins', ...common, width: null, edges, stated: [] })
const grid = attribute({ kind: 'decimal', ...common, step: rational(1, 2) })
const column = { sql: 'x', type: 'DOUBLE', kind: 'float' } as const
const encode = async (a: typeof even) =>
  (await connection.runAndReadAll(`SELECT sum(${codeSql(duckdb, a, column)})::DOUBLE FROM t`)).getRows()
const { medians } = await interleaved(
  { grid: () => encode(grid), even: () => encode(even), given: () => encode(given) },
  5,
)
connection.closeSync()
instance.closeSync()
const encoded: Figure[] = [
  { what: 'codes of 2·10^6 doubles: on a grid of 1,001 values', value: medians.grid, unit: 'ms' },
  { what: '  in 1,000 bins of one width', value: medians.even, unit: 'ms' },
  { what: '  in 100 bins with given edges', value: medians.given, unit: 'ms' },
]
await report('drafts, grids and bins', [...drafted, ...encoded])
