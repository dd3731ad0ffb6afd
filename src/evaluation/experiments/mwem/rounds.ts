import { FactoredModel } from '../../../model/index.ts'
import { mean } from '../../../numeric/index.ts'
import { allWays, parseWorkload } from '../../../release/index.ts'
import { type Attribute, attribute, universe } from '../../../schema/index.ts'
import { type CodedTable, countMarginals } from '../../marginals/index.ts'
import { type SeededBits, seededBits } from '../../seeded.ts'
import { variationOfModel } from '../../synth/index.ts'
import type { Experiment } from '../experiment.ts'
import { modelByMwem } from './model-by.ts'

const code = (size: number, i: number): Attribute =>
  attribute({ kind: 'integer', name: `x${i}`, low: 0, high: size - 1, closed: true })

/** Records of a random network: every attribute depends on up to two of those before it. */
function networkTable(sizes: readonly number[], rows: number, { uniform }: SeededBits): CodedTable {
  const columns: Uint16Array[] = []
  for (const size of sizes) {
    const parents = columns.length < 2 ? columns.slice() : twoOf(columns, uniform)
    const laws = new Map<string, number[]>()
    columns.push(
      Uint16Array.from({ length: rows }, (_, row) => {
        const key = parents.map((column) => column[row]).join()
        const law = laws.get(key) ?? randomLaw(size, uniform)
        laws.set(key, law)
        return drawn(law, uniform())
      }),
    )
  }
  return { name: 'network', universe: universe(sizes.map(code)), rows, columns }
}

function twoOf(columns: readonly Uint16Array[], uniform: () => number): Uint16Array[] {
  const first = Math.floor(uniform() * columns.length)
  const second = (first + 1 + Math.floor(uniform() * (columns.length - 1))) % columns.length
  return [columns[first]!, columns[second]!]
}

/** Shares as exponential variables make them: uniform over all laws. */
function randomLaw(size: number, uniform: () => number): number[] {
  const weights = Array.from({ length: size }, () => -Math.log(1 - uniform()))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

function drawn(law: readonly number[], u: number): number {
  let left = u
  const found = law.findIndex((share) => {
    left -= share
    return left < 0
  })
  return found < 0 ? law.length - 1 : found
}

const multiples = [0.5, 1, 2, 4, 8]
const bits = Array.from({ length: 20 }, () => 2)
const mixed = [2, 21, 3, 5, 16, 2, 7, 4, 9, 2, 6, 3]
const cases = [
  { what: '20 bits', sizes: bits, rows: 30_000, epsilon: 1 },
  { what: '20 bits', sizes: bits, rows: 30_000, epsilon: 0.1 },
  { what: '20 bits', sizes: bits, rows: 3000, epsilon: 1 },
  { what: '12 attributes of 2 to 21 codes', sizes: mixed, rows: 30_000, epsilon: 1 },
]
const quickCases = [{ what: '6 bits', sizes: bits.slice(0, 6), rows: 3000, epsilon: 1 }]

/** How many rounds MWEM should take where its model is held in parts. */
export const rounds: Experiment = {
  name: 'mwem-rounds',
  about: 'total variation over all pairs against the number of rounds, on tables drawn from random networks',
  async run({ quick, seed, progress }) {
    const tables = quick ? 1 : 4
    const rows: (string | number)[][] = []
    for (const { what, sizes, rows: records, epsilon } of quick ? quickCases : cases) {
      const errors = multiples.map((): number[] => [])
      const chosen: number[] = []
      for (let t = 0; t < tables; t++) {
        const random = seededBits(seed + t)
        const table = networkTable(sizes, records, random)
        const exact = countMarginals(table, allWays(table.universe, 2))
        const request = {
          queries: parseWorkload('2-way', table.universe, random.uniform),
          model: (over: CodedTable['universe'], n: number) => new FactoredModel(over, n),
        }
        const error = async (asked?: number) =>
          variationOfModel(
            exact,
            await modelByMwem(table, epsilon, { ...request, ...(asked && { rounds: asked }) }, random),
          )
        for (const [i, multiple] of multiples.entries()) errors[i]!.push(await error(multiple * sizes.length))
        chosen.push(await error())
        progress(`${what}, ${records} records, ε = ${epsilon}: table ${t + 1} of ${tables}`)
      }
      rows.push([what, records, epsilon, ...errors.map(mean), mean(chosen)])
    }
    return {
      settings: { tables, seed, multiples },
      header: ['table', 'records', 'ε', ...multiples.map((m) => `${m} d`), 'as chosen'],
      rows,
      panels: [
        {
          title: 'mean total variation over all pairs',
          x: { label: 'rounds per attribute', log: true },
          y: { label: 'total variation', log: true },
          series: rows.map(([what, records, epsilon, ...found]) => ({
            name: `${what}, ${records} records, ε = ${epsilon}`,
            points: multiples.map((m, i) => [m, found[i] as number] as const),
          })),
        },
      ],
      notes: [
        'Every attribute depends on two before it, by laws that are uniform over all laws. Factored form, all pairs as workload, add-remove, n known. d: the number of attributes; as chosen: by the rule of the method.',
      ],
    }
  },
}
