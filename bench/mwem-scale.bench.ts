// MWEM where the cells of the table cannot be counted (NIPS version, §4): all pairs of attributes as candidates, from a
// file through DuckDB, the meter and a ledger in memory to rows. Adult in 27 bits; the same with 50 bits of no meaning; 1,000 bits of
// no meaning. The number of rounds is the method's own choice.
import { existsSync, mkdirSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { memoryLedger, seededBits } from '../src/evaluation/index.ts'
import { one, rational } from '../src/numeric/index.ts'
import { mwem, parseWorkload } from '../src/release/index.ts'
import { attribute, type Universe, universe } from '../src/schema/index.ts'
import { distanceSensitivity, scaleFor } from '../src/trusted/accounting/index.ts'
import { openEngine } from '../src/trusted/engine/index.ts'
import { Book, type PrivacyTerms } from '../src/trusted/ledger/index.ts'
import { approveAll, checkSource, Meter } from '../src/trusted/meter/index.ts'
import { check, type Figure, median, peakMemory, report } from './harness.ts'

const adult = new URL('../../shared/data/adult27/adult27.csv.gz', import.meta.url).pathname
const folder = new URL('../.bench/', import.meta.url).pathname

interface Case {
  readonly what: string
  readonly records: number
  /** Columns of the file that is read, and made-up bits beside them. */
  readonly from: string
  readonly bits: number
}
const cases: { readonly [name: string]: Case } = {
  adult27: { what: 'Adult, 27 bits', records: 30_162, from: `'${adult}'`, bits: 0 },
  adult77: { what: 'Adult, 27 bits and 50 more', records: 30_162, from: `'${adult}'`, bits: 50 },
  bits1000: { what: '1,000 bits, 499,500 pairs', records: 10_000, from: 'range(10000) AS t(record)', bits: 1000 },
}

async function fileOf(name: string, { from, bits }: Case): Promise<{ path: string; names: string[] }> {
  mkdirSync(folder, { recursive: true })
  const path = `${folder}mwem-scale-${name}.parquet`
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  if (!existsSync(path)) {
    const made = Array.from(
      { length: bits },
      (_, i) => `(hash(row_number() OVER () * 7919 + ${i}) % 2)::INTEGER AS x${i}`,
    )
    const columns = from.startsWith('range') ? made : ['*', ...made]
    await connection.run(`COPY (SELECT ${columns.join(', ')} FROM ${from}) TO '${path}'`)
  }
  const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${path}'`)
  return { path, names: described.getRows().map(([column]) => String(column)) }
}

const privacy: PrivacyTerms = {
  unit: { kind: 'row' },
  neighbours: 'add-remove',
  epsilon: rational(10),
  delta: rational(0),
  composition: 'pure',
}

async function meterOver(path: string, over: Universe): Promise<Meter> {
  const source = { kind: 'duckdb', path } as const
  const engine = await openEngine({ source, universe: over, unit: privacy.unit, key: new Uint8Array(32) })
  const fingerprint = await (await engine.snapshot()).full()
  const { attributes } = over
  const create = { kind: 'create', format: 1, dataset: 'bench', privacy, attributes, fingerprint } as const
  const ledger = await memoryLedger(create, new Uint8Array(32))
  // The first purchase, or `reticent check`, reads all of the source once: it is known from then on.
  await checkSource(engine, ledger, fingerprint)
  return new Meter({ book: await Book.open(ledger), ledger, engine, approve: approveAll, epoch: 1 })
}

async function run(name: string): Promise<object> {
  const { path, names } = await fileOf(name, cases[name]!)
  const { records } = cases[name]!
  const over = universe(names.map((bit) => attribute({ kind: 'integer', name: bit, low: 0, high: 1, closed: true })))
  const meter = await meterOver(path, over)
  const { uniform } = seededBits(1)
  const buyer = { analyst: null, statement: null }
  const terms = { universe: over, privacy }
  let rounds = 0
  const start = performance.now()
  const used = process.cpuUsage()
  const { model } = await mwem.make(
    {
      budget: { epsilon: one },
      records: { kind: 'known', count: records },
      history: [],
      queries: parseWorkload('2-way', over, uniform),
    },
    {
      universe: over,
      unitNoise: (query) => scaleFor(query, one, terms),
      distanceSensitivity: (query) => distanceSensitivity(query, terms),
      meter: {
        measure: (charges) => meter.measure({ ...buyer, charges }),
        openRun: (request) => meter.openRun({ ...buyer, ...request }),
        openDraws: (request) => meter.openDraws({ ...buyer, ...request }),
      },
      random: uniform,
      progress: ({ doing }) => {
        if (doing.startsWith('round')) rounds++
      },
    },
  )
  const made = performance.now()
  const rows = model.rows(records, uniform)
  check(rows.length === names.length && rows[0]!.length === records, 'rows are there')
  const { user, system } = process.cpuUsage(used)
  return {
    rounds,
    processor: (user + system) / 1e6,
    seconds: (performance.now() - start) / 1000,
    rows: (performance.now() - made) / 1000,
  }
}

interface Measured {
  readonly rounds: number
  readonly processor: number
  readonly seconds: number
  readonly rows: number
  readonly megabytes: number
}
function measured(name: string): Measured {
  const { megabytes, output } = peakMemory(import.meta.filename, name)
  return { ...JSON.parse(output), megabytes }
}

/** In turns, so that a slow spell of the machine hits both; the time of one release depends on its noise, too. */
const turns = 5

const [only] = process.argv.slice(2)
if (only) process.stdout.write(JSON.stringify(await run(only)))
else {
  const bars: { readonly [name: string]: number } = { adult27: 8, bits1000: 2 }
  const figures: Figure[] = []
  const isThere = (name: string) => !name.startsWith('adult') || existsSync(adult)
  const names = Object.keys(cases).filter(isThere)
  const runs: { readonly [name: string]: Measured[] } = Object.fromEntries(names.map((name) => [name, []]))
  for (let turn = 0; turn < turns; turn++)
    for (const name of names) if (turn === 0 || name.startsWith('adult')) runs[name]!.push(measured(name))
  const middle = (name: string, of: keyof Measured) => median(runs[name]!.map((made) => made[of]))
  for (const name of names) {
    const bar = bars[name] === undefined ? {} : { atMost: bars[name] }
    figures.push({ what: cases[name]!.what, value: middle(name, 'seconds'), unit: 's', ...bar })
    figures.push({ what: '… of the processor', value: middle(name, 'processor'), unit: 's' })
    figures.push({ what: '… of which rows', value: middle(name, 'rows'), unit: 's' })
    figures.push({ what: '… rounds', value: middle(name, 'rounds'), unit: '' })
    figures.push({ what: '… memory in all', value: middle(name, 'megabytes'), unit: 'MB' })
  }
  if (runs.adult77 && runs.adult27) {
    const ratio = (of: keyof Measured) => middle('adult77', of) / middle('adult27', of)
    figures.push({ what: '77 bits over 27', value: ratio('seconds'), unit: '', atMost: 1.5 })
    figures.push({ what: '… of the processor', value: ratio('processor'), unit: '', atMost: 1.5 })
  }
  await report('mwem-scale', figures)
}
