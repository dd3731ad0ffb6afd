import { askWithin } from '../../answer/index.ts'
import { lawOf, type Posterior, posteriorByCharacteristic } from '../../inference/index.ts'
import { rational } from '../../numeric/index.ts'
import { countAll, type LinearQuery, marginal, type Statement } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { seededBits } from '../seeded.ts'
import type { Experiment, ExperimentOptions } from './experiment.ts'
import { type OpenTable, openTable, statementOf } from './table.ts'

/** How an answer came about. */
export const kinds = ['free', 'fresh', 'combined', 'refined'] as const
export type Kind = (typeof kinds)[number]

const confidence = 0.95
/** Sums of many noises have laws that are computed sooner: ages enough, and questions that add up half of them or more. */
const oldest = 11
const tiny = universe([
  attribute({ kind: 'integer', name: 'age', low: 0, high: oldest, closed: true }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
])
const rows = [0, 0, 1, 4, 5, 7, 11, 11].map((age, i) => ({ age, member: i % 2 === 0 }))
const ages = (from: number, to: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from, to } } }],
})
const exactOf = (from: number, to: number) => rows.filter(({ age }) => age >= from && age <= to).length

/** One answer of a history of its own. */
export interface Trial {
  readonly kind: Kind
  /** Of the answer, from the exact number. */
  readonly error: number
  /** Half the width of its interval. */
  readonly within: number
  /** The most that the law allows the interval to hold the exact number with: 95% and what its steps and blur add. */
  readonly attained: number
}

/** A random history that leads to an answer of this kind, and that answer. */
export async function trial(kind: Kind, random: () => number): Promise<Trial> {
  for (;;) {
    const made = await attempt(kind, random)
    // Kinds are chosen by laws and never by noise, so to wait for one favours no error.
    if (made.kind === kind) return made
  }
}

async function attempt(kind: Kind, random: () => number): Promise<Trial> {
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const from = whole(0, 5)
  const to = whole(from + 6, oldest)
  const asking = await openTable({ rows, universe: tiny, epsilon: rational(1000), random })
  const statement = statementOf(ages(from, to))
  const within = whole(4, 40)
  if (kind === 'refined') await askWithin(statement, { within: 2 * within, confidence }, asking)
  else if (kind !== 'fresh') await begin(asking, within * (kind === 'free' ? 0.12 : 0.3), random)
  return observe(statement, within, exactOf(from, to), asking)
}

/** A table or two and a few ranges, with noise of about this scale. */
async function begin({ meter }: OpenTable, scale: number, random: () => number): Promise<void> {
  const law = () => ({ kind: 'laplace', scale: rational(Math.ceil(100 * scale * (0.5 + random())), 100) }) as const
  const tables = random() < 0.5 ? [['age']] : [['age'], ['age', 'member']]
  const ranges = random() < 0.5 ? [] : [ages(0, 7), ages(3, oldest)]
  const charges = [...tables.map(marginal), ...ranges].map((query) => ({ query, law: law() }))
  await meter.measure({ charges, analyst: null, statement: null })
}

async function observe(statement: Statement, wanted: number, exact: number, asking: OpenTable): Promise<Trial> {
  const { answer } = await askWithin(statement, { within: wanted, confidence }, asking)
  const { estimate, within } = answer as { estimate: number; within: number }
  const law = usedLaw(statement.parts[0]!, wanted, within, asking)
  const reach = within + law.blur
  return {
    kind: answer.kind,
    error: estimate - exact,
    within,
    attained: Math.min(1, law.between(-reach, reach) + law.slack),
  }
}

/** The law that the interval came from: the history's, or that of the last measurement alone. */
function usedLaw(query: LinearQuery, wanted: number, within: number, { book, knowledge }: OpenTable): Posterior {
  const together = knowledge.about(query)![0]!.posterior(wanted / 200)
  if (Math.abs(together.halfWidth(confidence) - within) <= 1e-9 * within) return together
  const { law } = book.releases.at(-1)!.measurements[0]!
  return posteriorByCharacteristic([{ law: lawOf(law)!, coefficient: 1, count: 1 }])
}

/** 4.89 standard deviations of a normal law are passed on one side once in two million times. */
export const rare = 4.89

/** How often the intervals, stretched by a factor, held the exact number, and between what that should lie. */
export function judge(trials: readonly Trial[], stretch = 1): { held: number; least: number; most: number } {
  const n = trials.length
  // An estimate is a sum of doubles: its distance to an end of the interval is known to about 10^-12 of it.
  const inside = trials.filter(({ error, within }) => Math.abs(error) <= stretch * within * (1 + 1e-12))
  const attained = trials.reduce((sum, trial) => sum + trial.attained, 0) / n
  const spread = trials.reduce((sum, trial) => sum + trial.attained * (1 - trial.attained), 0) / n
  return {
    held: inside.length / n,
    least: confidence - rare * Math.sqrt((confidence * (1 - confidence)) / n),
    most: attained + rare * Math.sqrt(spread / n),
  }
}

/** Do intervals hold the exact number as often as they say, and hardly more often? */
export const coverage: Experiment = {
  name: 'coverage',
  about: 'how often 95% intervals hold the exact number, by kind of answer',
  run: async (options) => {
    const trialsEach = options.quick ? 20 : 20_000
    const rows: (string | number)[][] = []
    for (const kind of kinds) {
      const { held, least, most } = judge(await trialsOf(kind, trialsEach, options))
      rows.push([kind, trialsEach, held, least, most, held >= least && held <= most ? 'yes' : 'NO'])
    }
    const series = (name: string, column: number) => ({
      name,
      points: rows.map((row, i) => [i + 1, row[column] as number] as const),
    })
    return {
      settings: { confidence, trialsEach, seed: options.seed },
      header: ['kind', 'histories', 'held', 'at least', 'at most', 'in between'],
      rows,
      panels: [
        {
          title: 'Intervals that held the exact number',
          x: { close: true, label: kinds.map((kind, i) => `${i + 1} ${kind}`).join(', ') },
          y: { label: 'share', close: true },
          series: [series('held', 2), series('at least', 3), series('at most', 4)],
        },
      ],
      notes: [
        'at least: 95% less 4.89 standard deviations; at most: what the laws attain (their steps and blur included) and as much again.',
        'Every history is generated anew; its noise is the operating system’s.',
      ],
    }
  },
}

async function trialsOf(kind: Kind, count: number, { seed, progress }: ExperimentOptions): Promise<Trial[]> {
  const { uniform } = seededBits(seed * kinds.length + kinds.indexOf(kind))
  const trials: Trial[] = []
  while (trials.length < count) {
    trials.push(await trial(kind, uniform))
    if (trials.length % 2000 === 0 || trials.length === count) progress(`${kind}: ${trials.length} histories`)
  }
  return trials
}
