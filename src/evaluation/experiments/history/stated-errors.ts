import {
  fitHistoryMixture,
  fitKernel,
  fitMaxent,
  type HistoryModel,
  judgedBy,
  KernelFits,
  learnedPrior,
  type PastAnswers,
  tableHistoryModel,
} from '../../../inference/index.ts'
import type { CodedTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import { type Panel, panelsOf } from '../svg.ts'
import { errorTables } from './error-tables.ts'
import { ExactAnswers } from './exact-answers.ts'
import { randomHistory } from './random-history.ts'
import { statedRatio } from './stated-ratio.ts'

/** Answers in the histories of each group. */
const lengths: { readonly [group: string]: readonly number[] } = {
  '1 to 3': [1, 2, 3],
  '5 to 12': [5, 8, 12],
  '20 and 30': [20, 30],
  '150': [150],
}
/** Histories of each table that are short, and that are long. */
const [shortOnes, longOnes] = [40, 4]
/** One of so many short histories is fitted by models that take seconds. */
const oneOf = 5

/** How far an estimate is off beside what is stated, and beside what the kernel model states at the α that it chose. */
interface Reading {
  readonly group: string
  readonly model: string
  readonly stated: number
  readonly byChosen: number
}

/** How far models of a history are off, beside what they state. */
export const statedErrors: Experiment = {
  name: 'history-errors',
  about: 'how far models of a history are off, beside the errors that they state',
  async run(options) {
    const found: Reading[] = []
    for (const [tables, of] of Object.entries(errorTables(options)))
      for (const table of of) found.push(...(await readings(tables, table, options)))
    return outcomeOf(found, options)
  },
}

async function readings(tables: string, table: CodedTable, { quick, seed, progress }: ExperimentOptions) {
  const exact = new ExactAnswers(table)
  const found: Reading[] = []
  for (const [run, answers] of runs(quick).entries()) {
    progress(`${table.name}: history ${run + 1}`)
    const bits = seededBits(1000 * seed + run)
    const { past, questions } = randomHistory(table, exact, answers, bits)
    const length = Object.keys(lengths).find((group) => lengths[group]!.includes(answers))
    for (const { model, stated, byChosen } of await modelsOf(past, run, bits.uniform))
      for (const question of questions) {
        const [told, before] = [statedRatio(question, stated), statedRatio(question, byChosen)]
        const group = `${tables}; ${question.isDetermined ? 'determined' : `${length} answers`}`
        if (told !== undefined && before !== undefined) found.push({ group, model, stated: told, byChosen: before })
      }
  }
  return found
}

function runs(quick: boolean): number[] {
  const { '150': long, ...short } = lengths
  const all = Object.values(short).flat()
  if (quick) return all
  return [...Array.from({ length: shortOnes }, (_, i) => all[i % all.length]!), ...Array(longOnes).fill(long![0]!)]
}

interface Judged {
  readonly model: string
  readonly stated: HistoryModel
  readonly byChosen: HistoryModel
}

async function modelsOf(past: PastAnswers, run: number, random: () => number): Promise<Judged[]> {
  const fits = new KernelFits(past, learnedPrior(past, random))
  const plain = fits.validated(random)
  const judge = fits.judge(plain)()
  const kernel = fitKernel(past, { random, isPlain: run < shortOnes })
  const made: Judged[] = [{ model: 'kernel', stated: kernel, byChosen: plain }]
  if (run % oneOf > 0 || run >= shortOnes) return made
  for (const fitted of [fitMaxent, fitHistoryMixture]) {
    const model = tableHistoryModel(await fitted(past, { random }))
    made.push({ model: model.kind, stated: judgedBy(model, judge), byChosen: judgedBy(model, plain) })
  }
  return made
}

function outcomeOf(found: readonly Reading[], { seed }: ExperimentOptions): Outcome {
  const groups = Map.groupBy(found, ({ group, model }) => `${group}; ${model}`)
  const rows = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, readings]) => {
      const [stated, before] = [readings.map((r) => r.stated), readings.map((r) => r.byChosen)]
      return [
        ...name.split('; '),
        readings.length,
        median(stated),
        rootMeanSquare(stated),
        share(stated, 2),
        share(stated, 3),
        rootMeanSquare(before),
        share(before, 3),
      ]
    })
  return {
    settings: { seed, short: shortOnes, long: longOnes },
    header: ['tables', 'history', 'model', 'questions', 'median', 'RMS', '% > 2', '% > 3', 'chosen α: RMS', '% > 3'],
    rows,
    panels: panelsFor(found),
    notes: [
      'Numbers are |estimate - exact| / stated error. Questions: counts over one and two attributes, and averages, that earlier answers do not determine; those that they determine are in a row of their own.',
      'chosen α: with errors by the α that the answers chose, beside the same estimates.',
      'Laplace noise of scale 0.0003 to 0.03 of the records, the same for all counts of a history; n is public in half of them.',
    ],
  }
}

/** For each group of tables, how many questions are off by more than so many times what is stated. */
function panelsFor(found: readonly Reading[]): Panel[] {
  const points = [...Map.groupBy(found, ({ group, model }) => `${group.split('; ')[0]}; ${model}`)].flatMap(
    ([name, readings]) => {
      const [title, model] = name.split('; ') as [string, string]
      const stated = readings.map((r) => r.stated)
      const before = readings.map((r) => r.byChosen)
      return timesStated.flatMap((x) => [
        { title, name: model, at: [x, share(stated, x)] as const },
        { title, name: `${model}, chosen α`, at: [x, share(before, x)] as const },
      ])
    },
  )
  return panelsOf(points, (point) => point, {
    x: { label: 'times the stated error', log: true },
    y: { label: '% of questions off by more' },
  })
}
const timesStated = [0.25, 0.5, 1, 2, 3, 4, 8, 16]

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const rootMeanSquare = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)
const share = (values: readonly number[], above: number): number =>
  (100 * values.filter((value) => value > above).length) / values.length
