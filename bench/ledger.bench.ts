// The SQLite ledger: durable appends, reading a long history, a record of a million cells. It has no bars of its own; it
// is a part of the 20 ms that an ask may add to the engine's time.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { rational } from '../src/numeric/index.ts'
import { countAll, marginal } from '../src/query/index.ts'
import { attribute } from '../src/schema/index.ts'
import { type Create, createLedger, openLedger, type Purchase, type Reserve } from '../src/trusted/ledger/index.ts'
import { best, check, report } from './harness.ts'

const base = new URL('../.bench/', import.meta.url).pathname
mkdirSync(base, { recursive: true })
const folder = mkdtempSync(`${base}ledger-`)

const attributes = ['a', 'b'].map((name) => attribute({ kind: 'integer', name, low: 1, high: 1000, closed: true }))
const create: Create = {
  kind: 'create',
  format: 1,
  dataset: 'bench',
  privacy: {
    unit: { kind: 'row' },
    neighbours: 'add-remove',
    epsilon: rational(1),
    delta: rational(0),
    composition: 'pure',
  },
  attributes,
  fingerprint: '',
}
const reserve = (query: Purchase['query']): Reserve => ({
  kind: 'reserve',
  analyst: null,
  statement: 'SELECT COUNT(*) FROM bench WHERE a < 100',
  purchases: [{ query, law: { kind: 'laplace', scale: rational(100) } }],
})
const filtered = {
  ...countAll,
  terms: [{ coefficient: 1, factors: { a: { kind: 'interval', from: 0, to: 98 } } }],
} as const

let made = 0
const place = () => ({ kind: 'sqlite', path: `${folder}/${made++}.ledger` }) as const

async function appends(pairs: number) {
  const at = place()
  const ledger = await createLedger(at, create, new Uint8Array(32))
  const start = performance.now()
  for (let i = 0; i < pairs; i++) {
    const { seq } = (await ledger.append(reserve(filtered)))!
    await ledger.append({ kind: 'record', reserve: seq, values: [Float64Array.of(i)] })
  }
  const seconds = (performance.now() - start) / 1000
  await ledger.close()
  return { at, perSecond: (2 * pairs) / seconds }
}

async function largeRecord() {
  const cells = 1_000_000
  // Noise of scale 100 around small counts, from a fixed sequence: two bytes a cell.
  const values = Float64Array.from({ length: cells }, (_, i) => ((i * 7919) % 601) - 300)
  const ledger = await createLedger(place(), create, new Uint8Array(32))
  const written = await best(async () => {
    const { seq } = (await ledger.append(reserve(marginal(['a', 'b']))))!
    return (await ledger.append({ kind: 'record', reserve: seq, values: [values] }))!.seq
  })
  const read = await best(() => ledger.read(written.value - 1))
  const { row } = read.value[0]!
  check(
    row.kind === 'record' && row.values[0]!.length === cells && row.values[0]![4321] === values[4321],
    'other values',
  )
  await ledger.close()
  return {
    write: written.milliseconds,
    read: read.milliseconds / read.value.filter(({ row }) => row.kind === 'record').length,
  }
}

const long = await appends(5_000)
const reading = await best(async () => {
  const ledger = await openLedger(long.at)
  const rows = await ledger.read(0)
  await ledger.close()
  return rows
})
check(reading.value.length === 10_001, 'rows are missing')
const large = await largeRecord()
rmSync(folder, { recursive: true })

await report('Ledger in SQLite', [
  { what: 'durable appends', value: long.perSecond, unit: 'rows/s' },
  { what: 'open and read 10,001 rows', value: reading.milliseconds, unit: 'ms' },
  { what: 'reserve and record 10^6 cells', value: large.write, unit: 'ms' },
  { what: 'read 10^6 cells', value: large.read, unit: 'ms' },
])
