// Runs that look at very many marginals at once, through the meter, a ledger in memory and DuckDB: all pairs of 14
// attributes at several coarsenesses, all pairs of 1,000 bits, and 10^5 ranges. How long it takes to open one (the files
// are read in that time too), a round of choosing among all, to close it, and to read the ledger again.
import { existsSync, mkdirSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { memoryLedger } from '../src/evaluation/index.ts'
import { rational } from '../src/numeric/index.ts'
import { answerSize, countAll, type Grouping, type LinearQuery, marginal } from '../src/query/index.ts'
import { type Attribute, attribute, type Universe, universe } from '../src/schema/index.ts'
import { openEngine } from '../src/trusted/engine/index.ts'
import { Book, exportRows, type PrivacyTerms, verifyRows } from '../src/trusted/ledger/index.ts'
import { approveAll, Meter } from '../src/trusted/meter/index.ts'
import { best, check, type Figure, peakMemory, report } from './harness.ts'

const privacy: PrivacyTerms = {
  unit: { kind: 'row' },
  neighbours: 'add-remove',
  epsilon: rational(1000),
  delta: rational(0),
  composition: 'pure',
}

interface Case {
  readonly name: string
  readonly rows: number
  readonly universe: Universe
  readonly queries: readonly LinearQuery[]
  /** What opening and a round may take, in milliseconds. */
  readonly opening: number
  readonly round: number
}

const integers = (sizes: readonly number[]): Attribute[] =>
  sizes.map((size, i) => attribute({ kind: 'integer', name: `a${i}`, low: 0, high: size - 1, closed: true }))
const pairsOf = <T>(all: readonly T[]): [T, T][] => all.flatMap((a, i) => all.slice(i + 1).map((b): [T, T] => [a, b]))

/** An attribute by itself, and its codes in groups of 2, 4, 8 …: at most six coarsenesses. */
function coarsenesses({ name, size }: Attribute): Grouping[] {
  const all: Grouping[] = [{ attribute: name }]
  for (let width = 2; width < size && all.length < 6; width *= 2)
    all.push({
      attribute: name,
      groups: Array.from({ length: Math.ceil(size / width) }, (_, g) => ({
        kind: 'interval',
        from: g * width,
        to: Math.min(size, (g + 1) * width) - 1,
      })),
    })
  return all
}

function nested(): Case {
  const attributes = integers([85, 9, 100, 16, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42])
  const queries = pairsOf(attributes.map(coarsenesses)).flatMap(([a, b]) =>
    Array.from({ length: Math.max(a.length, b.length) }, (_, level) => ({
      ...countAll,
      by: [a[Math.min(level, a.length - 1)]!, b[Math.min(level, b.length - 1)]!],
    })),
  )
  return {
    name: `${queries.length} nested pairs`,
    rows: 48_842,
    universe: universe(attributes),
    queries,
    opening: 500,
    round: 50,
  }
}

function bits(count: number): Case {
  const attributes = Array.from({ length: count }, (_, i) =>
    attribute({ kind: 'boolean', name: `b${i}`, closed: true }),
  )
  const queries = pairsOf(attributes).map(([a, b]) => marginal([a.name, b.name]))
  return {
    name: `${queries.length} pairs of bits`,
    rows: 10_000,
    universe: universe(attributes),
    queries,
    opening: 1500,
    round: 50,
  }
}

function ranges(cells: number): Case {
  const attributes = integers([1000, cells / 1000])
  const [x, y] = attributes as [Attribute, Attribute]
  const queries = Array.from({ length: 100_000 }, (_, i): LinearQuery => {
    const factors = {
      [x.name]: { kind: 'interval', from: i % 400, to: 400 + ((i * 7) % 600) },
      [y.name]: { kind: 'interval', from: 0, to: (i * 13) % y.size },
    } as const
    return { ...countAll, terms: [{ coefficient: 1, factors }] }
  })
  return {
    name: `10^5 ranges over ${cells} cells`,
    rows: 100_000,
    universe: universe(attributes),
    queries,
    opening: 1500,
    round: 50,
  }
}

async function fileOf({ name, rows, universe: { attributes } }: Case): Promise<string> {
  const folder = new URL('../.bench/', import.meta.url).pathname
  mkdirSync(folder, { recursive: true })
  const path = `${folder}candidates-${name.replaceAll(/\W+/g, '-')}.parquet`
  if (existsSync(path)) return path
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const columns = attributes.map((a, i) =>
    a.kind === 'boolean'
      ? `hash(range * 7919 + ${i}) % 2 = 0 AS ${a.name}`
      : `(hash(range * 7919 + ${i}) % ${a.size})::INTEGER AS ${a.name}`,
  )
  await connection.run(`COPY (SELECT ${columns.join(', ')} FROM range(${rows})) TO '${path}'`)
  return path
}

const timed = async <T>(work: () => T | Promise<T>): Promise<[T, number]> => {
  const start = performance.now()
  const value = await work()
  return [value, performance.now() - start]
}

async function measure(of: Case): Promise<Figure[]> {
  const { name, universe: u, queries } = of
  const engine = await openEngine({
    source: { kind: 'duckdb', path: await fileOf(of) },
    universe: u,
    unit: { kind: 'row' },
    key: new Uint8Array(32),
  })
  const create = { kind: 'create', format: 1, dataset: 'bench', privacy, attributes: u.attributes } as const
  const fingerprint = await (await engine.snapshot()).full()
  const ledger = await memoryLedger({ ...create, fingerprint }, new Uint8Array(32))
  const meter = new Meter({ book: await Book.open(ledger), ledger, engine, approve: approveAll, epoch: 1 })
  const [exact, reading] = await timed(async () => (await engine.snapshot()).answer(queries))
  check(exact.length === queries.length, 'every query is answered')
  const request = { queries, epsilon: rational(100), analyst: null, statement: null }
  const [draws, opening] = await timed(() => meter.openDraws(request))
  const model = new Float64Array(queries.reduce((sum, query) => sum + answerSize(query, u), 0)).fill(
    Math.floor(of.rows / 4),
  )
  const [first, firstRound] = await timed(() => draws.select({ model, epsilon: rational(1, 10) }))
  check(first < queries.length, 'a candidate is chosen')
  const round = await best(() => {
    const query = draws.select({ model, epsilon: rational(1, 10) })
    return draws.draw({ query, scale: rational(100) })
  })
  const [, closing] = await timed(() => draws.close())
  const [rows, again] = await timed(async () => {
    await Book.open(ledger)
    return ledger.read(0)
  })
  const [faults, verifying] = await timed(() => verifyRows(rows))
  check(faults.length === 0, 'the rows fit')
  const [lines, exporting] = await timed(() => exportRows(rows))
  await engine.close()
  return [
    { what: `${name}: exact answers`, value: reading, unit: 'ms' },
    { what: '… opening, exact answers included', value: opening, unit: 'ms', atMost: of.opening },
    { what: '… the first choice', value: firstRound, unit: 'ms' },
    { what: '… a choice and an answer', value: round.milliseconds, unit: 'ms', atMost: of.round },
    { what: '… closing', value: closing, unit: 'ms' },
    { what: '… reading the ledger again', value: again, unit: 'ms' },
    { what: '… verifying its rows', value: verifying, unit: 'ms' },
    { what: '… exporting it', value: exporting, unit: 'ms' },
    { what: '… the export', value: lines.join('\n').length / 1e6, unit: 'MB' },
  ]
}

const cases: { readonly [name: string]: () => Case } = {
  nested,
  bits77: () => bits(77),
  bits1000: () => bits(1000),
  ranges3: () => ranges(10 ** 3),
  ranges7: () => ranges(10 ** 7),
}

const [only] = process.argv.slice(2)
if (only) process.stdout.write(JSON.stringify(await measure(cases[only]!())))
else
  for (const name of Object.keys(cases)) {
    const { megabytes, output } = peakMemory(import.meta.filename, name)
    await report('candidates', [...JSON.parse(output), { what: '… peak memory', value: megabytes, unit: 'MB' }])
  }
