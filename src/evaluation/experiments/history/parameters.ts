import type { CodedTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import { historyMethods } from './methods.ts'
import { pairQueries } from './pair-queries.ts'
import { boughtMarginals, model, pastQueries, rootMeanSquare, tablesFor } from './past.ts'
import { priorEpsilon } from './priors.ts'

/** One history: so many ranges, with noise of this scale, about so many rows. */
interface Setting {
  readonly panel: 'number of queries' | 'noise scale b' | 'number of rows'
  readonly queries: number
  readonly scale: number
  readonly rows: number
}

interface Point extends Setting {
  readonly table: string
  readonly method: string
  readonly error: number
}

/** What stays where something else varies. */
const usualSetting = ({ quick }: ExperimentOptions) =>
  quick ? { queries: 60, scale: 200 } : { queries: 2000, scale: 5000 }

const usualNote = ({ queries, scale }: ReturnType<typeof usualSetting>): string =>
  `Where one number varies, the others are ${queries.toLocaleString('en')} queries, b = ${scale.toLocaleString('en')} and all rows.`

function settingsFor({ rows }: CodedTable, options: ExperimentOptions): Setting[] {
  const { quick } = options
  const usual = { ...usualSetting(options), rows }
  const series = quick
    ? { queries: [30, 60], scale: [], rows: [] }
    : { queries: [1000, 2000, 5000], scale: [500, 20_000], rows: [20_000] }
  return [
    ...series.queries.map((queries): Setting => ({ ...usual, queries, panel: 'number of queries' })),
    ...series.scale.map((scale): Setting => ({ ...usual, scale, panel: 'noise scale b' })),
    ...series.rows.map((count): Setting => ({ ...usual, rows: count, panel: 'number of rows' })),
  ]
}

/** Error on past ranges as the number of queries, the noise and the table grow; every method chooses for itself. */
export const parameterSweep: Experiment = {
  name: 'history-fig4',
  about: 'error on past ranges over two attributes as queries, noise and rows vary (history paper, Fig. 4)',
  async run(options) {
    const points: Point[] = []
    for (const table of tablesFor(options))
      for (const setting of settingsFor(table, options)) points.push(...(await errorsIn(table, setting, options)))
    return outcomeOf(points, options)
  },
}

async function errorsIn(whole: CodedTable, setting: Setting, options: ExperimentOptions): Promise<Point[]> {
  const bits = seededBits(options.seed)
  const table = someRows(whole, setting.rows)
  const queries = pairQueries.range(table.universe, setting.queries, bits.uniform)
  const { past, exact } = pastQueries(table, queries, setting.scale, bits)
  const bought = boughtMarginals(table, priorEpsilon, bits)
  const points: Point[] = []
  for (const [method, ask] of Object.entries(historyMethods)) {
    const answers = await ask({
      past,
      bought,
      queries,
      random: seededBits(options.seed + 1).uniform,
      ...(options.quick && { chains: 100 }),
    })
    points.push({ ...setting, table: table.name, method, error: rootMeanSquare(answers, exact) })
    options.progress(`${table.name}, ${setting.panel} ${setting.queries}, ${setting.scale}, ${setting.rows}: ${method}`)
  }
  return points
}

/** So many rows, evenly from all of them. */
const someRows = (table: CodedTable, rows: number): CodedTable => ({
  ...table,
  rows,
  columns: table.columns.map((column) =>
    Uint16Array.from({ length: rows }, (_, i) => column[Math.floor((i * table.rows) / rows)]!),
  ),
})

/** What every series has a point of. */
const isUsual = ({ panel, queries }: Point, options: ExperimentOptions): boolean =>
  panel === 'number of queries' && queries === usualSetting(options).queries

const places = { 'number of queries': 'queries', 'noise scale b': 'scale', 'number of rows': 'rows' } as const

function outcomeOf(points: readonly Point[], options: ExperimentOptions): Outcome {
  const tables = [...new Set(points.map(({ table }) => table))]
  return {
    settings: { seed: options.seed, priorEpsilon },
    header: ['data', 'varied', 'queries', 'b', 'rows', 'method', 'RMSE'],
    rows: points.map((p) => [p.table, p.panel, p.queries, p.scale, p.rows, p.method, p.error]),
    panels: tables.flatMap((table) =>
      Object.entries(places).map(([panel, place]) => ({
        title: `${table}: ${panel}`,
        x: { label: panel, log: true },
        y: { label: 'root mean squared error', log: true },
        series: Object.keys(historyMethods).map((name) => ({
          name,
          points: points
            .filter((p) => p.table === table && p.method === name && (p.panel === panel || isUsual(p, options)))
            .map((p) => [p[place], p.error] as const)
            .sort(([x], [y]) => x - y),
        })),
      })),
    ),
    notes: [model, usualNote(usualSetting(options))],
  }
}
