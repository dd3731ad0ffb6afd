// Maximum entropy on all pairs of nine attributes (29,570 cells with the paper's domains) at ε = 1 under add-remove: a fit with α by
// cross-validation, how far pairs and triples of its rows are off beside two perturbations, 10^5 rows written, and exact fits of a small tree.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flipping, inventedAdult, retentionReplacement, seededBits, sharedTable } from '../src/evaluation/index.ts'
import { openSynthFiles, publishSynthetic } from '../src/index.ts'
import { fitMaxent } from '../src/inference/index.ts'
import { rational } from '../src/numeric/index.ts'
import { marginal } from '../src/query/index.ts'
import { discreteLaplace } from '../src/trusted/random/index.ts'
import { best, check, type Figure, report } from './harness.ts'

const figures: Figure[] = []
const bits = seededBits(1)
const table = sharedTable('census_income') ?? inventedAdult(500_000, 1)
const { universe, rows, columns } = table
const { attributes } = universe
const sizes = attributes.map(({ size }) => size)
const all = [...sizes.keys()]
const pairs = all.flatMap((a) => all.slice(a + 1).map((b) => [a, b]))
const triples = pairs.flatMap(([a, b]) => all.slice(b! + 1).map((c) => [a!, b!, c]))
const cellsOf = (set: readonly number[]) => set.reduce((n, a) => n * sizes[a]!, 1)

function shares(of: readonly ArrayLike<number>[], set: readonly number[]): Float64Array {
  const told = new Float64Array(cellsOf(set))
  const count = of[0]!.length
  for (let r = 0; r < count; r++) told[set.reduce((cell, a) => cell * sizes[a]! + of[a]![r]!, 0)]! += 1 / count
  return told
}

const scale = rational(pairs.length)
const measured = (set: readonly number[], id: number) => ({
  id: `${id + 1}.0`,
  query: marginal(set.map((a) => attributes[a]!.name)),
  law: { kind: 'laplace', scale } as const,
  values: shares(columns, set).map((share) => Math.round(share * rows) + Number(discreteLaplace(scale, bits))),
})
const past = { universe, measurements: pairs.map(measured) }
const began = performance.now()
const fitted = await fitMaxent(past, { random: bits.uniform })
const seconds = (performance.now() - began) / 1000
figures.push({ what: `fit to ${fitted.parameters.answers} two-way cells`, value: seconds, unit: 's', atMost: 60 })
for (const name of ['alpha', 'slope', 'chance', 'gap'])
  figures.push({ what: `  ${name}`, value: Number(fitted.parameters[name]), unit: '' })

const made = fitted.table.rows(rows, bits.uniform)
const others = [retentionReplacement(table, 1, bits.uniform), flipping(table, 1, bits.uniform)]
for (const [what, sets] of [
  ['pairs', pairs],
  ['triples of at most 4,096 cells', triples.filter((set) => cellsOf(set) <= 4096)],
] as const) {
  let [own, worst] = [0, 0]
  for (const set of sets) {
    const truth = shares(columns, set)
    const off = (told: Float64Array) => told.reduce((sum, share, cell) => sum + Math.abs(share - truth[cell]!), 0)
    const error = off(shares(made, set))
    own += error / sets.length
    worst = Math.max(worst, error / Math.min(...others.map((other) => off(other.joint(set)))))
  }
  figures.push({ what: `mean Err of ${what}`, value: own, unit: '' })
  figures.push({ what: `  the largest ratio to the better perturbation’s`, value: worst, unit: '', atMost: 1 })
}

const folder = mkdtempSync(join(tmpdir(), 'reticent-bench-'))
try {
  let run = 0
  const some = fitted.table.rows(100_000, bits.uniform)
  const zero = { epsilon: 0, delta: 0 }
  const written = await best(async () => {
    const files = await openSynthFiles(join(folder, `made-${run++}.csv`))
    const about = { dataset: 'adult', method: 'maxent', free: true, parameters: {}, neighbours: 'add-remove' } as const
    const numbers = {
      cost: zero,
      budget: { epsilon: 0 },
      records: fitted.records,
      steps: [],
      measured: [],
      warnings: [],
    }
    const source = { model: fitted.table, rows: some, random: bits.uniform, known: past.measurements, receipt: '0' }
    return publishSynthetic({ ...about, ...numbers, ...source }, { files })
  }, 1)
  check(written.value.rows === 100_000, 'all rows are written')
  figures.push({ what: '10^5 rows with model and report', value: written.milliseconds / 1000, unit: 's', atMost: 5 })
} finally {
  rmSync(folder, { recursive: true })
}

// Four pairs in a chain: a junction tree of four tables.
const chain = all.slice(0, 4).map((a) => measured([a, a + 1], a))
const exact = await best(() => fitMaxent({ universe, measurements: chain }, { random: bits.uniform }), 1)
figures.push({ what: 'exact fit to four pairs, α chosen', value: exact.milliseconds / 1000, unit: 's' })
figures.push({ what: '  gap', value: Number(exact.value.parameters.gap), unit: '' })
await report('maximum entropy', figures)
