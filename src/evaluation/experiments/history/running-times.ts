import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import { panelsOf } from '../svg.ts'
import { historyMethods } from './methods.ts'
import { pairQueries } from './pair-queries.ts'
import { model, pastQueries, tablesFor } from './past.ts'

interface Point {
  readonly table: string
  readonly queries: number
  readonly method: string
  readonly seconds: number
}

const timed = ['kernel, learned prior', 'kernel, mixture prior', 'maxent, learned prior'] as const

/** Seconds of processor time to fit and to answer all past queries, α chosen on the way. */
export const runningTimes: Experiment = {
  name: 'history-fig5',
  about: 'running time with a growing number of past ranges, α by cross-validation included (history paper, Fig. 5)',
  async run(options) {
    const points: Point[] = []
    for (const table of tablesFor(options))
      for (const count of options.quick ? [100, 200] : [500, 1000, 2000, 5000]) {
        const bits = seededBits(options.seed)
        const queries = pairQueries.range(table.universe, count, bits.uniform)
        const { past } = pastQueries(table, queries, count, bits)
        for (const method of timed) {
          const began = options.worked()
          const chains = options.quick ? { chains: 300 } : {}
          await historyMethods[method]!({ past, bought: [], queries, random: bits.uniform, ...chains })
          points.push({ table: table.name, queries: count, method, seconds: (options.worked() - began) / 1000 })
          options.progress(`${table.name}, ${count} queries: ${method}`)
        }
      }
    return outcomeOf(points, options)
  },
}

function outcomeOf(points: readonly Point[], { seed }: ExperimentOptions): Outcome {
  return {
    settings: { seed },
    header: ['data', 'queries', 'method', 'seconds'],
    rows: points.map(({ table, queries, method, seconds }) => [table, queries, method, seconds]),
    panels: panelsOf(points, (p) => ({ title: p.table, name: p.method, at: [p.queries, p.seconds] }), {
      x: { label: 'past queries', log: true },
      y: { label: 'seconds of processor time', log: true },
    }),
    notes: [model, 'Noise of scale b = m, so that m queries cost ε ≤ 1.'],
  }
}
