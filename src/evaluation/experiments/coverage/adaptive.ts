import { seededBits } from '../../seeded.ts'
import type { Experiment, ExperimentOptions } from '../experiment.ts'
import { type Analyst, analysts } from './analysts.ts'
import { confidence, type Seen } from './seen.ts'

/** Of runs: where the last interval held, and where all did. */
interface Shares {
  readonly last: number
  readonly all: number
}

const holds = (width: 'alone' | 'always') => (answer: Seen) =>
  // An estimate is a sum of doubles: its distance to an end of the interval is known to about 10^-12 of it.
  Math.abs(answer.error) <= answer[width] * (1 + 1e-12)

const sharesOf = (runs: readonly (readonly Seen[])[], width: 'alone' | 'always'): Shares => ({
  last: runs.filter((run) => holds(width)(run.at(-1)!)).length / runs.length,
  all: runs.filter((run) => run.every(holds(width))).length / runs.length,
})

/** How often intervals hold for somebody whose next question depends on the last answer. */
export const coverageAdaptive: Experiment = {
  name: 'coverage-adaptive',
  about: 'how often 95% intervals hold where questions follow from answers, for one answer alone and always',
  run: async (options) => {
    const runs = options.quick ? 10 : 2000
    const rows: (string | number)[][] = []
    for (const analyst of analysts) rows.push(rowOf(analyst.name, await looks(analyst, runs, options)))
    return {
      settings: { confidence, runs, seed: options.seed },
      header: ['analyst', 'answers', 'last, alone', 'all, alone', 'last, always', 'all, always', 'times as wide'],
      rows,
      panels: [
        {
          title: 'Runs in which all intervals held',
          x: { close: true, label: analysts.map(({ name }, i) => `${i + 1} ${name}`).join(', ') },
          y: { label: 'share', close: true },
          series: [series('alone', rows, 3), series('always', rows, 5)],
        },
      ],
      notes: [
        'alone: the interval of one answer by itself; always: the interval of --always. last: of the answer that is reported; all: of all answers at once.',
        'times as wide: the mean of always over alone, of the last answer. Noise is the operating system’s.',
      ],
    }
  },
}

const series = (name: string, rows: readonly (readonly (string | number)[])[], column: number) => ({
  name,
  points: rows.map((row, i) => [i + 1, row[column] as number] as const),
})

async function looks(
  analyst: Analyst,
  runs: number,
  { seed, progress }: ExperimentOptions,
): Promise<(readonly Seen[])[]> {
  const { uniform } = seededBits(seed)
  const all: (readonly Seen[])[] = []
  for (let i = 1; i <= runs; i++) {
    all.push(await analyst.look(uniform))
    if (i % 500 === 0) progress(`${analyst.name}: ${i} runs`)
  }
  return all
}

function rowOf(name: string, runs: readonly (readonly Seen[])[]): (string | number)[] {
  const [alone, always] = [sharesOf(runs, 'alone'), sharesOf(runs, 'always')]
  const mean = (of: (run: readonly Seen[]) => number) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length
  const wider = mean((run) => run.at(-1)!.always / run.at(-1)!.alone)
  return [name, mean((run) => run.length), alone.last, alone.all, always.last, always.all, wider]
}
