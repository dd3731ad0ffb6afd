import { denseEstimate, type History, openHistory } from '../../../inference/index.ts'
import { fromNumber } from '../../../numeric/index.ts'
import { countAll, type LinearQuery } from '../../../query/index.ts'
import { attribute, type Universe, universe } from '../../../schema/index.ts'
import { type SeededBits, seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions } from '../experiment.ts'
import { drawHistory, type PaperHistory } from './paper-history.ts'
import { fastest } from './timing.ts'

/** Beyond so many cells the dense form takes minutes; ours goes on. */
const mostDense = 300

interface Times {
  readonly m: number
  readonly n: number
  readonly dense: number | undefined
  /** From the answers to the first estimate. */
  readonly first: number
  /** Another question to the same history. */
  readonly next: number
}

/** Fig. 5: the time of BLUE. */
export const blueTime: Experiment = {
  name: 'bayes-blue-time',
  about: 'time of the best linear unbiased estimate against answers and cells (Fig. 5)',
  run: async (options) => {
    const { quick, seed } = options
    const bits = seededBits(seed)
    const byAnswers = (quick ? [20, 40] : [200, 500, 1000, 2000]).map((m) => time(m, quick ? 20 : 100, bits, options))
    const byCells = (quick ? [10, 20] : [50, 100, 200, 300, 500]).map((n) => time(2 * n, n, bits, options))
    const times = [...byAnswers, ...byCells]
    const panel = (title: string, label: string, list: readonly Times[], x: (t: Times) => number) => ({
      title,
      x: { label },
      y: { label: 'milliseconds', log: true },
      series: [
        { name: 'dense, as in the paper', points: list.map((t) => [x(t), t.dense ?? Number.NaN] as const) },
        { name: 'Reticent, first estimate', points: list.map((t) => [x(t), t.first] as const) },
        { name: 'Reticent, next estimate', points: list.map((t) => [x(t), t.next] as const) },
      ],
    })
    return {
      settings: { sensitivity: 10, alpha: 'uniform on [0, 1]', seed, largestDense: mostDense },
      header: ['answers m', 'cells n', 'dense ms', 'first ms', 'next ms'],
      rows: times.map(({ m, n, dense, first, next }) => [m, n, dense ?? '-', first, next]),
      panels: [
        panel(quick ? 'n = 20 cells' : 'n = 100 cells', 'answers m', byAnswers, ({ m }) => m),
        panel('m = 2n answers', 'cells n', byCells, ({ n }) => n),
      ],
      notes: [
        'first: all answers read, and one estimate with its variance and coefficients; next: another question to them.',
        `The dense form is not run beyond ${mostDense} cells.`,
      ],
    }
  },
}

function time(m: number, n: number, { uniform }: SeededBits, { now, progress, quick }: ExperimentOptions): Times {
  const drawn = drawHistory({ m, n, sensitivity: 10, alpha: 1 }, uniform)
  const other = Float64Array.from({ length: n }, () => Math.floor(2 * uniform()))
  const variances = drawn.scales.map((scale) => 2 * scale * scale)
  const dense =
    n <= mostDense
      ? fastest(now, quick || n > 100 ? 1 : 2, () => denseEstimate({ rows: drawn.rows, variances }, drawn.question))
      : undefined
  const over = universe([attribute({ kind: 'integer', name: 'cell', low: 0, high: n - 1, closed: true })])
  const first = fastest(now, quick ? 1 : 2, () => {
    const history = read(drawn, over, uniform)
    consult(history, drawn.question)
    return history
  })
  const next = fastest(now, 3, () => consult(first.value, other))
  progress(`m = ${m}, n = ${n}`)
  return { m, n, dense: dense?.milliseconds, first: first.milliseconds, next: next.milliseconds }
}

const queryOf = (weights: Float64Array): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { cell: { kind: 'table', values: Array.from(weights) } } }],
})

/** What was answered does not matter to the time: zeros. */
function read({ rows, scales }: PaperHistory, over: Universe, random: () => number): History {
  const history = openHistory(over, { random })
  rows.forEach((row, k) => {
    const law = { kind: 'laplace', scale: fromNumber(scales[k]!) } as const
    history.append({ id: String(k), query: queryOf(row), law, values: Float64Array.of(0) })
  })
  return history
}

function consult(history: History, question: Float64Array): number {
  const estimate = history.estimate(queryOf(question))
  return estimate.estimable ? estimate.variance + estimate.coefficients.length : Number.NaN
}
