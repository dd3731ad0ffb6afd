import { FactoredModel, SampledModel, type Table, type TableModel } from '../../model/index.ts'
import { attributesOf } from '../../query/index.ts'
import { problem, type Universe } from '../../schema/index.ts'
import { priorShares, tableShares } from '../fitted/prior.ts'
import { toldRecords } from '../fitted/records.ts'
import type { FittedTable, FittingOptions } from '../fitted/table-history-model.ts'
import type { PastAnswers } from '../history-model.ts'
import type { PriorTables } from '../kernel/prior/prior.ts'
import { CodeRuns } from './code-runs.ts'
import { coarseProblem } from './exact/coarse-problem.ts'
import { fitExactly } from './exact/fit.ts'
import { exactCliques, hasRoom } from './exact/tree-means.ts'
import { type MaxentProblem, maxentProblem, mostCells } from './problem.ts'
import { fitBySampling } from './sampled/fit.ts'
import { potential, type Scope } from './scope.ts'

interface MaxentOptions extends FittingOptions {
  /** How much the noisy answers count against the prior. Chosen by cross-validation unless given. */
  readonly alpha?: number
  /** What is believed of single attributes before any answer; `[]`: all codes alike. Unless given, what the history tells of them. */
  readonly prior?: PriorTables
  /** What a difference from an answer with Laplace noise costs: Huber's loss unless given; `likelihood`: the noise's own, as in the paper. */
  readonly loss?: 'likelihood'
  /** `exact` where a junction tree has room, else `sampled`; unless given. */
  readonly solver?: 'exact' | 'sampled'
  /** Of the sampled one: how many chains run side by side; chosen by the answers unless given. */
  readonly chains?: number
}

/** At least so many records of a sample are kept, and at most: a sample of the latter fills half a gigabyte at fifty attributes. */
const [leastKept, mostKept] = [100_000, 2_000_000]

/**
 * The distribution nearest to the prior that fits the noisy answers as well as their noise allows: maximum entropy with soft
 * constraints. docs/algorithms/maximum-entropy.md
 */
export async function fitMaxent(past: PastAnswers, options: MaxentOptions): Promise<FittedTable> {
  const { random } = options
  const { count, from } = toldRecords(past, random)
  const prior = options.prior ? tableShares(past.universe, options.prior, count) : priorShares(past, count, random)
  const runs = new CodeRuns(past.universe, past.measurements)
  const { universe } = runs
  const { kept, left } = withinMemory({ universe, measurements: runs.answers(past.measurements) })
  const compiled = maxentProblem(universe, count, runs.shares(prior), kept, options.loss ? 0 : 1)
  if (compiled.targets.length === 0)
    throw problem('not-estimable', 'the history says nothing beyond the number of records', 'Buy some answers first.')
  const cliques = options.solver === 'sampled' ? undefined : exactCliques(compiled)
  if (options.solver === 'exact' && !cliques)
    throw problem('not-supported', 'an exact fit would need tables that are too large', 'Use the sampled one.')
  const fine = { universe: past.universe, prior, runs }
  const fitted = cliques ? await exact(compiled, cliques, fine, options) : await sampled(compiled, fine, options)
  const guessed = `No earlier answers determine the number of records: ${Math.round(count).toLocaleString('en-US')} is the model’s guess.`
  return {
    kind: 'maxent',
    records: { count, from: from === 'public' ? from : 'history' },
    ...fitted,
    warnings: [...(from === 'guessed' ? [guessed] : []), ...left],
  }
}

/** Noisy numbers that fit in memory beside what is computed from them, and cells that they look at. */
const mostNumbers = 2 ** 22
/** Features that are evaluated record by record: more would take minutes a sweep. */
const mostWide = 1000

/** The smallest answers first, as many as there is room for; and a warning where some were left out. */
function withinMemory({ universe, measurements }: Pick<PastAnswers, 'universe' | 'measurements'>) {
  const sizeOf = (name: string) => universe.attributes[universe.index.get(name)!]!.size
  const bySize = measurements
    .map((answer) => ({
      answer,
      numbers: answer.values.length,
      cells: attributesOf(answer.query, universe).reduce((cells, name) => cells * sizeOf(name), 1),
    }))
    .sort((a, b) => a.numbers - b.numbers)
  let [numbers, wide] = [0, 0]
  const kept = bySize.filter((each) => {
    const isWide = each.cells > mostCells
    numbers += each.numbers
    wide += isWide ? each.numbers : 0
    return numbers <= mostNumbers && (!isWide || wide <= mostWide)
  })
  const count = measurements.length - kept.length
  const left =
    count > 0 ? [`${count} of ${measurements.length} answers are too large to be fitted, and were left out.`] : []
  return { kept: kept.map(({ answer }) => answer), left }
}

/** What the fit is about, code by code. */
interface Fine {
  readonly universe: Universe
  readonly prior: readonly Float64Array[]
  readonly runs: CodeRuns
}

async function exact(
  compiled: MaxentProblem,
  cliques: readonly (readonly number[])[],
  fine: Fine,
  options: MaxentOptions,
) {
  const { alpha, w, gap, steps } = await fitExactly(coarseProblem(compiled), cliques, options)
  return {
    table: hasRoom(fine, cliques) ? modelOf(compiled, fine, w) : drawnFrom(compiled, fine, w, options),
    parameters: { solver: 'exact', alpha, answers: w.length, steps, gap },
  }
}

/** p₀(t)·exp Σ w f(t), as a product of factors; over runs, where these are not given. */
function modelOf(
  { records, scopes }: MaxentProblem,
  { universe, prior, runs }: Omit<Fine, 'runs'> & Partial<Fine>,
  w: Float64Array,
): FactoredModel {
  const spread = ({ attributes }: Scope, values: Float64Array) => runs?.spread(attributes, values) ?? values
  const logs: Table[] = [
    ...scopes.map((scope) => ({ attributes: scope.attributes, values: spread(scope, potential(scope, w)) })),
    ...prior.map((shares, a) => ({ attributes: [a], values: shares.map(Math.log) })),
  ]
  return new FactoredModel(universe, records, { cells: 2 ** 24 }, logs)
}

/** Records of it, where its factors would be too large code by code. */
function drawnFrom(compiled: MaxentProblem, fine: Fine, w: Float64Array, options: MaxentOptions): TableModel {
  const rows = modelOf(compiled, compiled, w).rows(rowsFor(compiled, options), options.random)
  return new SampledModel(fine.universe, compiled.records, fine.runs.codes(rows, fine.prior, options.random))
}

const rowsFor = ({ records }: MaxentProblem, { rows }: MaxentOptions): number =>
  Math.max(leastKept, Math.min(mostKept, rows ?? Math.round(records)))

async function sampled(compiled: MaxentProblem, { universe, prior, runs }: Fine, options: MaxentOptions) {
  const fit = await fitBySampling(compiled, { ...options, rows: rowsFor(compiled, options) })
  const { alpha, chains, sweeps, convergence } = fit
  return {
    table: new SampledModel(universe, compiled.records, runs.codes(fit.rows, prior, options.random), fit.shares),
    parameters: { solver: 'sampled', alpha, answers: fit.w.length, chains, sweeps, ...convergence },
  }
}
