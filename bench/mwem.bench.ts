// MWEM: how near a model comes to small contingency tables, as relative entropy, and a run on 10^7 cells.
import {
  type CellTable,
  countMarginals,
  openCells,
  relativeEntropy,
  seededBits,
  sharedTable,
} from '../src/evaluation/index.ts'
import { parseRational, rational } from '../src/numeric/index.ts'
import { type MwemRequest, mwem, parseWorkload } from '../src/release/index.ts'
import { attribute, type Neighbours, universe } from '../src/schema/index.ts'
import { check, type Figure, peakMemory, report } from './harness.ts'

const runs = 20

async function model(table: CellTable, epsilon: string, workload: string, more: Partial<MwemRequest>, by?: Neighbours) {
  const { context, book } = await openCells(table, { epsilon: rational(10), neighbours: by ?? 'add-remove' })
  const { uniform } = seededBits(1)
  const made = await mwem.make(
    {
      budget: { epsilon: parseRational(epsilon)! },
      records: { kind: 'known', count: table.counts.reduce((sum, count) => sum + count, 0) },
      history: [],
      queries: parseWorkload(workload, table.universe, uniform),
      ...more,
    },
    { ...context, random: uniform },
  )
  check(book.spent().epsilon <= Number(epsilon) * 1e12, 'no more than the budget is spent')
  return made
}

/** Means over runs; n is known, as in the papers: under add-remove their proof holds for these noises. */
async function entropies(name: 'czech' | 'rochdale', bars: { readonly [epsilon: string]: number }): Promise<Figure[]> {
  const shared = sharedTable(name)
  if (!shared) return []
  const attributes = shared.universe.attributes.map((a) => a.name)
  const table = { universe: shared.universe, counts: countMarginals(shared, [attributes]).counts[0]! }
  const mean = async (epsilon: string, more: Partial<MwemRequest> = {}, by?: Neighbours) => {
    let sum = 0
    for (let run = 0; run < runs; run++) {
      const { model: made } = await model(table, epsilon, 'parities:3', more, by)
      sum += relativeEntropy(table.counts, made.marginal([...attributes.keys()]))
    }
    return sum / runs
  }
  const bought = { records: { kind: 'bought', share: rational(1, 10) } } as const
  const figures: Figure[] = []
  for (const [epsilon, atMost] of Object.entries(bars)) {
    const what = `${name}, relative entropy at ε = ${epsilon}`
    const figure = async (how: string, value: Promise<number>, bar = {}) =>
      figures.push({ what: `${what}, ${how}`, value: await value, unit: '', ...bar })
    await figure('n known', mean(epsilon), { atMost })
    await figure('n bought with 10%', mean(epsilon, bought))
    await figure('replace-one', mean(epsilon, {}, 'replace-one'))
    await figure('n known, rounds alone', mean(epsilon, { startShare: rational(0) }))
  }
  return figures
}

/** 10^7 cells, 10^6 records: seven attributes of ten codes, each near the one before. */
function largeTable(): CellTable {
  const over = universe(
    Array.from({ length: 7 }, (_, i) => attribute({ kind: 'integer', name: `x${i}`, low: 0, high: 9, closed: true })),
  )
  const { uniform } = seededBits(7)
  const counts = new Float64Array(10 ** 7)
  for (let record = 0; record < 10 ** 6; record++) {
    let [cell, code] = [0, Math.floor(10 * uniform() ** 2)]
    for (let a = 0; a < 7; a++) {
      cell = cell * 10 + code
      code = Math.min(9, Math.max(0, code + Math.round(4 * (uniform() - 0.5))))
      if (uniform() < 0.2) code = Math.floor(10 * uniform())
    }
    counts[cell]!++
  }
  return { universe: over, counts }
}

const [large] = process.argv.slice(2)
if (large) {
  const table = largeTable()
  const start = performance.now()
  await model(table, '1', large, { rounds: 20 })
  console.log((performance.now() - start) / 1000)
} else {
  const figures = [
    ...(await entropies('czech', { 0.1: 0.106, 0.5: 0.049, 1: 0.032 })),
    ...(await entropies('rochdale', { 0.1: 1.54, 0.5: 0.7, 1: 0.45 })),
  ]
  for (const workload of ['3-way', 'ranges:1000']) {
    const { megabytes, output } = peakMemory(import.meta.filename, workload)
    const what = `10^7 cells, 20 rounds, ${workload}`
    figures.push({ what, value: Number(output), unit: 's', atMost: 60 })
    figures.push({ what: `${what}, memory in all`, value: megabytes, unit: 'MB', atMost: 1000 })
  }
  await report('mwem', figures)
}
