import { KernelFits } from '../../../inference/index.ts'
import type { CodedTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import { pairAnswers, pairQueries } from './pair-queries.ts'
import { boughtMarginals, model, pastQueries, rootMeanSquare, tablesFor } from './past.ts'
import { beginnings, priorEpsilon } from './priors.ts'

/** α beside n. */
const shares = [0.02, 0.06, 0.2]
const folds = 5

interface Point {
  readonly table: string
  readonly line: string
  readonly alpha: number
  /** Told by cross-validation, of the past queries themselves, and of new ones; NaN if it would take too long. */
  readonly errors: { readonly told: number; readonly past: number; readonly fresh: number }
}
/** What the α that was chosen costs beside the best one in hindsight. */
interface Chosen extends Point {
  readonly best: number
}

/** The error that cross-validation tells beside the true one, and the α that it chooses beside the best. */
export const alphaChoice: Experiment = {
  name: 'history-fig3',
  about:
    'error that cross-validation tells of an α beside the true one, for ranges over two attributes (history paper, Fig. 3)',
  async run(options) {
    const found = tablesFor(options).flatMap((table) => readings(table, options))
    return outcomeOf(found, options)
  },
}

const sizeOf = ({ quick }: ExperimentOptions) => (quick ? 300 : 5000)

function readings(table: CodedTable, options: ExperimentOptions): { points: Point[]; chosen: Chosen }[] {
  const bits = seededBits(options.seed)
  const count = sizeOf(options)
  const history = pastQueries(table, pairQueries.range(table.universe, count, bits.uniform), count, bits)
  const fresh = pairQueries.range(table.universe, count / 5, bits.uniform)
  const freshExact = pairAnswers(table, fresh)
  const bought = boughtMarginals(table, priorEpsilon, bits)
  const lines = beginnings(history.past, bought, bits.uniform).filter(({ past }) => past === history.past)
  return lines.map(({ name, past, prior }) => {
    const fits = new KernelFits(past, prior)
    const validation = fits.crossValidation(folds, seededBits(options.seed + 1).uniform)
    const point = (alpha: number, made = fits.model(alpha)): Point => {
      options.progress(`${table.name}, ${name}: α = ${alpha}`)
      const told = validation.error(alpha)
      return {
        table: table.name,
        line: name,
        alpha,
        errors: {
          told: told === undefined ? Number.NaN : Math.sqrt(Math.max(0, told)) * count * Math.SQRT2,
          past: rootMeanSquare([...made.fitted()], history.exact),
          fresh: rootMeanSquare(
            fresh.map((query) => made.answers(query)[0]!),
            freshExact,
          ),
        },
      }
    }
    const own = fits.validated(seededBits(options.seed + 2).uniform)
    const chosen = point(Number(own.parameters.alpha), own)
    const around = [0.5, 0.7, 1.4].map((factor) => point(factor * chosen.alpha))
    const points = [...shares.map((share) => point(share * table.rows)), chosen, ...around].sort(
      (a, b) => a.alpha - b.alpha,
    )
    return { points, chosen: { ...chosen, best: Math.min(...points.map(({ errors }) => errors.past)) } }
  })
}

function outcomeOf(
  found: readonly { points: readonly Point[]; chosen: Chosen }[],
  options: ExperimentOptions,
): Outcome {
  const count = sizeOf(options)
  const tables = [...new Set(found.map(({ chosen }) => chosen.table))]
  const row = ({ table, line, alpha, errors }: Point, mark: string) => [
    table,
    line,
    alpha,
    mark,
    errors.told,
    errors.fresh,
    errors.past,
  ]
  return {
    settings: { seed: options.seed, queries: count, b: count, folds, priorEpsilon },
    header: ['data', 'method', 'α', '', 'told', 'new ranges', 'past ranges'],
    rows: found.flatMap(({ points, chosen }) =>
      points.map((point) => row(point, point.alpha === chosen.alpha ? 'chosen' : '')),
    ),
    panels: tables.map((table) => ({
      title: table,
      x: { label: 'α', log: true },
      y: { label: 'root mean squared error', log: true },
      series: found
        .filter(({ chosen }) => chosen.table === table)
        .flatMap(({ points, chosen }) => [
          { name: `${chosen.line}: told`, points: points.map((p) => [p.alpha, p.errors.told] as const) },
          { name: `${chosen.line}: new ranges`, points: points.map((p) => [p.alpha, p.errors.fresh] as const) },
        ]),
    })),
    notes: [
      model,
      'told: by five-fold cross-validation over all past queries, from their noisy answers alone. chosen: the α that the shipped search takes, by cross-validation and Cp on at most 1,500 of them.',
      ...found.map(({ chosen: { table, line, errors, best } }) => {
        const more = (100 * (errors.past / best - 1)).toFixed(1)
        return `${table}, ${line}: the chosen α has an error of ${errors.past.toFixed(0)} on past ranges, ${more}% above the best α tried.`
      }),
    ],
  }
}
