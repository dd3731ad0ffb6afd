import type { CodeRange } from '../../perturbation/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import { panelsOf } from '../svg.ts'
import { rootMeanSquare } from './past.ts'
import { epsilon, type Published, published, publishedNote, tablesToPublish } from './published.ts'

interface Point {
  readonly table: string
  readonly ways: number
  readonly method: string
  readonly error: number
}

const methods = ['maximum entropy', 'retention replacement', 'flipping'] as const
const mostWays = 5

/** Error of ranges over one to five attributes, from published tables. */
export const manyRanges: Experiment = {
  name: 'history-fig7',
  about: 'error of ranges over k attributes, from published tables (history paper, Fig. 7)',
  async run(options) {
    const points: Point[] = []
    for (const table of tablesToPublish(options)) points.push(...errorsOf(await published(table, options), options))
    return outcomeOf(points, options)
  },
}

const queriesFor = ({ quick }: ExperimentOptions): number => (quick ? 10 : 30)

function errorsOf({ table, synthetic, retention, flipped }: Published, options: ExperimentOptions): Point[] {
  const { uniform } = seededBits(options.seed + 7)
  return Array.from({ length: Math.min(mostWays, table.columns.length) }, (_, i) => i + 1).flatMap((ways) => {
    const queries = Array.from({ length: queriesFor(options) }, () => rangesOver(table, ways, uniform))
    const exact = queries.map((ranges) => counted(table, ranges))
    const told = [
      queries.map((ranges) => counted(synthetic, ranges)),
      queries.map((ranges) => retention.count(ranges)),
      queries.map((ranges) => flipped.count(ranges)),
    ]
    options.progress(`${table.name}: ranges over ${ways}`)
    return methods.map((method, m) => ({ table: table.name, ways, method, error: rootMeanSquare(told[m]!, exact) }))
  })
}

type Table = Published['table']

function rangesOver({ universe: { attributes } }: Table, ways: number, uniform: () => number): CodeRange[] {
  const left = [...attributes.keys()]
  return Array.from({ length: ways }, () => {
    const [attribute] = left.splice(Math.floor(left.length * uniform()), 1)
    const ends = [0, 0].map(() => Math.floor(attributes[attribute!]!.size * uniform()))
    return { attribute: attribute!, from: Math.min(...ends), to: Math.max(...ends) }
  })
}

function counted({ rows, columns }: Table, ranges: readonly CodeRange[]): number {
  let count = 0
  for (let r = 0; r < rows; r++)
    if (ranges.every(({ attribute, from, to }) => columns[attribute]![r]! >= from && columns[attribute]![r]! <= to))
      count++
  return count
}

function outcomeOf(points: readonly Point[], options: ExperimentOptions): Outcome {
  return {
    settings: { seed: options.seed, epsilon, queries: queriesFor(options) },
    header: ['data', 'attributes', 'method', 'RMSE'],
    rows: points.map(({ table, ways, method, error }) => [table, ways, method, error]),
    panels: panelsOf(points, ({ table, method, ways, error }) => ({ title: table, name: method, at: [ways, error] }), {
      x: { label: 'attributes' },
      y: { label: 'root mean squared error', log: true },
    }),
    notes: [publishedNote],
  }
}
