import { KernelFits } from '../../../inference/index.ts'
import type { LinearQuery } from '../../../query/index.ts'
import type { CodedTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import { pairAnswers, pairQueries } from './pair-queries.ts'
import { boughtMarginals, model, type PastQueries, pastQueries, rootMeanSquare, tablesFor } from './past.ts'
import { beginnings, priorEpsilon } from './priors.ts'

/** α beside n. */
const shares = [0.003, 0.03, 0.1, 0.2, 1]
const quickShares = [0.01, 0.1, 1]

interface Point {
  readonly table: string
  readonly panel: string
  readonly line: string
  readonly alpha: number
  readonly error: number
}

/** Which queries are told from which: the panels of the figure. */
const panels = [
  { title: 'past ranges', asked: 'range', of: 'past' },
  { title: 'past counting queries', asked: 'counting', of: 'past' },
  { title: 'new ranges, from ranges', asked: 'range', of: 'new' },
  { title: 'new ranges, from counts', asked: 'counting', of: 'new' },
] as const

/** Error against α: for the queries that were asked, and for new ones. */
export const alphaSweep: Experiment = {
  name: 'history-fig2',
  about:
    'error of kernel estimates against α, for past and for new queries over two attributes (history paper, Fig. 2)',
  async run(options) {
    const points: Point[] = []
    const notes: string[] = []
    for (const table of tablesFor(options))
      for (const kind of ['range', 'counting'] as const) points.push(...sweep(table, kind, options, notes))
    return outcomeOf(points, options, notes)
  },
}

const sizeOf = ({ quick }: ExperimentOptions) => (quick ? 300 : 5000)

function sweep(table: CodedTable, kind: 'range' | 'counting', options: ExperimentOptions, notes: string[]): Point[] {
  const bits = seededBits(options.seed)
  const count = sizeOf(options)
  const history = pastQueries(table, pairQueries[kind](table.universe, count, bits.uniform), count, bits)
  const fresh = pairQueries.range(table.universe, count / 5, bits.uniform)
  const freshExact = pairAnswers(table, fresh)
  const bought = boughtMarginals(table, priorEpsilon, bits)
  notes.push(formsNote(table, kind, history))
  return beginnings(history.past, bought, bits.uniform).flatMap(({ name, past, prior }) => {
    const fits = new KernelFits(past, prior)
    return (options.quick ? quickShares : shares).flatMap((share): Point[] => {
      const alpha = share * table.rows
      const found = fits.model(alpha)
      const told = (queries: readonly LinearQuery[]) => queries.map((query) => found.answers(query)[0]!)
      const own = [...found.fitted().subarray(0, count)]
      const point = (of: 'past' | 'new', error: number): Point => {
        const panel = panels.find((each) => each.asked === kind && each.of === of)!.title
        return { table: table.name, panel, line: name, alpha, error }
      }
      options.progress(`${table.name}, ${kind}, ${name}: α = ${alpha}`)
      return [point('past', rootMeanSquare(own, history.exact)), point('new', rootMeanSquare(told(fresh), freshExact))]
    })
  })
}

/** The eigen form and the fast one on a part of the history that the former can be asked about. */
function formsNote(table: CodedTable, kind: string, { past, queries }: PastQueries): string {
  const short = { ...past, measurements: past.measurements.slice(0, 120) }
  const fits = new KernelFits(short, [])
  const [form, alpha] = [fits.eigenForm(), 0.1 * table.rows]
  const fast = fits.model(alpha)
  const apart = queries.slice(0, 200).map((query) => {
    const [x, y] = [fast.answers(query)[0]!, form.estimate(query, alpha)]
    return Math.abs(x - y) / Math.max(1, Math.abs(y))
  })
  return `${table.name}, 120 ${kind} queries: ${form.rank} eigenqueries; their estimates and those of the fast form differ by at most ${Math.max(...apart).toExponential(0)} of their size.`
}

function outcomeOf(points: readonly Point[], options: ExperimentOptions, notes: readonly string[]): Outcome {
  const count = sizeOf(options)
  const tables = [...new Set(points.map(({ table }) => table))]
  const lines = [...new Set(points.map(({ line }) => line))]
  return {
    settings: { seed: options.seed, queries: count, b: count, priorEpsilon },
    header: ['data', 'queries', 'method', 'α', 'RMSE'],
    rows: points.map(({ table, panel, line, alpha, error }) => [table, panel, line, alpha, error]),
    panels: tables.flatMap((table) =>
      panels.map(({ title }) => ({
        title: `${table}: ${title}`,
        x: { label: 'α', log: true },
        y: { label: 'root mean squared error', log: true },
        series: lines.map((name) => ({
          name,
          points: points
            .filter((point) => point.table === table && point.panel === title && point.line === name)
            .map(({ alpha, error }) => [alpha, error] as const),
        })),
      })),
    ),
    notes: [
      model,
      `The noise alone has a root mean square of b√2 = ${Math.round(count * Math.SQRT2)}.`,
      'α belongs to the inner product in which COUNT(*) has length 1.',
      ...notes,
    ],
  }
}
