import { errorLawByMonteCarlo } from '../../../inference/index.ts'
import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import { attained, confidence, type Kind, kinds, type Trial, trial } from './trial.ts'

/** 4.89 standard deviations of a normal law are passed on one side once in two million times. */
const rare = 4.89

type Held = Pick<Trial, 'error' | 'within' | 'attained'>

/** How often the intervals held the exact number, and between what that should lie. */
function judge(trials: readonly Held[]): { held: number; least: number; most: number } {
  const n = trials.length
  // An estimate is a sum of doubles: its distance to an end of the interval is known to about 10^-12 of it.
  const inside = trials.filter(({ error, within }) => Math.abs(error) <= within * (1 + 1e-12))
  const mean = trials.reduce((sum, t) => sum + t.attained, 0) / n
  const spread = trials.reduce((sum, t) => sum + t.attained * (1 - t.attained), 0) / n
  return {
    held: inside.length / n,
    least: confidence - rare * Math.sqrt((confidence * (1 - confidence)) / n),
    most: mean + rare * Math.sqrt(spread / n),
  }
}

/** A law's computed share beside the drawn ones: within the interval, and within what its blur makes of it. */
interface Twin {
  readonly drawn: number
  readonly computed: number
  readonly agrees: boolean
}

/**
 * Draws a law's noises so many times. What was computed is the share of an error moved by at most the blur, so it lies
 * between the share drawn within the interval and the one within two blurs more, to what drawing leaves unsure.
 */
function draw({ law, within, terms }: Trial, samples: number, uniform: () => number): Twin {
  // Not all at once: they would not fit into a cache.
  const rounds = samples / 1e5
  let [inner, outer] = [0, 0]
  for (let i = 0; i < rounds; i++) {
    const twin = errorLawByMonteCarlo(terms, { samples: 1e5, uniform })
    inner += twin.between(-within, within) / rounds
    outer += twin.between(-within - 2 * law.blur, within + 2 * law.blur) / rounds
  }
  const unsure = (share: number) => rare * Math.sqrt((share * (1 - share)) / samples)
  const computed = attained(law, within)
  const agrees = computed >= inner - unsure(inner) && computed <= outer + unsure(outer) + 2 * law.slack
  return { drawn: inner, computed, agrees }
}

/** Do intervals hold the exact number as often as they say, and hardly more often? */
export const coverage: Experiment = {
  name: 'coverage',
  about: 'how often 95% intervals hold the exact number, by kind of answer',
  run: async (options) => {
    const rows: Row[] = []
    for (const kind of kinds) rows.push(await rowOf(kind, options))
    return outcomeOf(rows, options)
  },
}

type Row = readonly (string | number)[]

const sizesOf = ({ quick }: ExperimentOptions): Sizes =>
  quick ? { histories: 20, laws: 1, samples: 1e5 } : { histories: 20_000, laws: 6, samples: 1e7 }

/** What is seen of one kind. */
async function rowOf(kind: Kind, options: ExperimentOptions): Promise<Row> {
  const { histories, laws, samples } = sizesOf(options)
  const { trials, twins } = await trialsOf(kind, { histories, laws, samples }, options)
  const { held, least, most } = judge(trials)
  const mean = (part: 'drawn' | 'computed') => twins.reduce((sum, twin) => sum + twin[part], 0) / twins.length
  const agreeing = twins.filter(({ agrees }) => agrees).length
  const between = held >= least && held <= most ? 'yes' : 'NO'
  return [kind, histories, held, least, most, between, mean('drawn'), mean('computed'), `${agreeing} of ${laws}`]
}

function outcomeOf(rows: readonly Row[], options: ExperimentOptions): Outcome {
  const { histories, laws, samples } = sizesOf(options)
  const series = (name: string, column: number) => ({
    name,
    points: rows.map((row, i) => [i + 1, row[column] as number] as const),
  })
  return {
    settings: { confidence, histories, laws, samples, seed: options.seed },
    header: ['kind', 'histories', 'held', 'at least', 'at most', 'in between', 'drawn', 'computed', 'agree'],
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
      `drawn and computed: the share that laws give their intervals, by ${samples} draws of the noise and by formula; mean of ${laws} laws.`,
      'A relative answer’s interval is made for 98.3%: three intervals share its doubt.',
      'Every history is generated anew; its noise is the operating system’s.',
    ],
  }
}

interface Sizes {
  readonly histories: number
  readonly laws: number
  readonly samples: number
}

async function trialsOf(
  kind: Kind,
  { histories, laws, samples }: Sizes,
  { seed, progress }: ExperimentOptions,
): Promise<{ trials: Held[]; twins: Twin[] }> {
  const { uniform } = seededBits(seed * kinds.length + kinds.indexOf(kind))
  const trials: Held[] = []
  const twins: Twin[] = []
  while (trials.length < histories) {
    const made = await trial(kind, uniform)
    // A law may be large: only what is counted is kept.
    trials.push({ error: made.error, within: made.within, attained: made.attained })
    if (trials.length <= laws) twins.push(draw(made, samples, uniform))
    if (trials.length % 2000 === 0 || trials.length === histories) progress(`${kind}: ${trials.length} histories`)
  }
  return { trials, twins }
}
