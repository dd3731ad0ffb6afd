// Rounds of a run that chooses: 10^5 candidates of one cell, and 500 candidates of 10^4 cells, through the meter and a
// ledger in memory. Bar: well under a second a round. Opening reads the data once and is shown beside it.
import { fixedEngine } from '../src/evaluation/fixed-engine.ts'
import { openMemory } from '../src/evaluation/open-memory.ts'
import { rational } from '../src/numeric/index.ts'
import { answerSize, countAll, type LinearQuery, marginal } from '../src/query/index.ts'
import { attribute, universe } from '../src/schema/index.ts'
import { best, check, type Figure, report } from './harness.ts'

const names = Array.from({ length: 34 }, (_, i) => `a${i}`)
const people = universe(names.map((name) => attribute({ kind: 'integer', name, low: 0, high: 99, closed: true })))

/** Exact answers that are made up: what a database takes is not the question here. */
const made = fixedEngine('made up', (queries) =>
  queries.map((query, q) =>
    Float64Array.from({ length: answerSize(query, people) }, (_, i) => (q * 31 + i * 17) % 1000),
  ),
)

async function openDraws(queries: readonly LinearQuery[]) {
  const { meter } = await openMemory(made, people, { epsilon: rational(1000) })
  return meter.openDraws({ queries, epsilon: rational(100), analyst: null, statement: null })
}

const points = Array.from(
  { length: 100_000 },
  (_, i): LinearQuery => ({
    ...countAll,
    terms: [
      {
        coefficient: 1,
        factors: {
          [names[i % 34]!]: { kind: 'interval', from: i % 50, to: 50 + (i % 50) },
          [names[(i + 1 + (i % 32)) % 34]!]: { kind: 'interval', from: 0, to: i % 100 },
        },
      },
    ],
  }),
)
const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => marginal([a, b]))).slice(0, 500)

const figures: Figure[] = []
for (const [what, queries] of [
  ['10^5 candidates of one cell', points],
  ['500 candidates of 10^4 cells', pairs],
] as const) {
  const started = performance.now()
  const draws = await openDraws(queries)
  figures.push({ what: `${what}: opening`, value: performance.now() - started, unit: 'ms' })
  const candidates = Int32Array.from(queries.keys())
  const cells = queries.reduce((sum, query) => sum + answerSize(query, people), 0)
  const model = new Float64Array(cells).fill(400)
  const first = performance.now()
  draws.select({ candidates, model, epsilon: rational(1, 10) })
  figures.push({ what: `${what}: the first round`, value: performance.now() - first, unit: 'ms', atMost: 1000 })
  const round = await best(() => draws.select({ candidates, model, epsilon: rational(1, 10) }))
  figures.push({ what: `${what}: a round`, value: round.milliseconds, unit: 'ms', atMost: 300 })
  check(Number.isInteger(round.value) && round.value < queries.length, 'a candidate is chosen')
  const closing = performance.now()
  await draws.close()
  figures.push({ what: `${what}: closing`, value: performance.now() - closing, unit: 'ms' })
}
await report('selections', figures)
