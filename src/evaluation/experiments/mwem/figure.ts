import { mean } from '../../../numeric/index.ts'
import { deviation } from '../deviation.ts'
import type { Experiment, ExperimentOptions, Outcome } from '../experiment.ts'
import { panelsOf } from '../svg.ts'

/** What one run of everybody shows, by line. */
type Reading = ReadonlyMap<string, number>

/** One panel: a table, and what a run at an ε shows of it. */
export interface Case {
  readonly title: string
  readonly epsilons: readonly number[]
  /** `run` counts from 0: it makes seeds. */
  read(epsilon: number, run: number): Promise<Reading>
}

/** A figure of §3: a number against ε, one panel per table, one line per method, means of several runs. */
interface Figure {
  readonly name: string
  readonly about: string
  readonly measure: string
  readonly runs: number
  readonly notes: readonly string[]
  readonly settings?: Outcome['settings']
  /** Those tables that are there. */
  cases(options: ExperimentOptions): Case[]
}

export const figureOf = (figure: Figure): Experiment => ({
  name: figure.name,
  about: figure.about,
  run: async (options) => {
    const runs = options.quick ? 2 : figure.runs
    const points: Point[] = []
    for (const each of figure.cases(options))
      for (const epsilon of options.quick ? each.epsilons.slice(-1) : each.epsilons) {
        const readings: Reading[] = []
        for (let run = 0; run < runs; run++) readings.push(await each.read(epsilon, run))
        for (const line of readings[0]!.keys())
          points.push({ title: each.title, epsilon, line, values: readings.map((reading) => reading.get(line)!) })
        options.progress(`${each.title}: ε = ${epsilon}`)
      }
    return outcomeOf(figure, { runs, seed: options.seed }, points)
  },
})

/** What all runs showed of a line at an ε. */
interface Point {
  readonly title: string
  readonly epsilon: number
  readonly line: string
  readonly values: readonly number[]
}

function outcomeOf(
  { measure, notes, settings }: Figure,
  made: { readonly runs: number; readonly seed: number },
  points: readonly Point[],
): Outcome {
  return {
    settings: { ...made, ...settings },
    header: ['data', 'ε', 'method', 'runs', measure, '±'],
    rows: points.map(({ title, epsilon, line, values }) => [
      title,
      epsilon,
      line,
      values.length,
      mean(values),
      deviation(values),
    ]),
    panels: panelsOf(
      points,
      ({ title, line, epsilon, values }) => ({ title, name: line, at: [epsilon, mean(values)] }),
      {
        x: { label: 'ε', log: true },
        y: { label: measure, log: true },
      },
    ),
    notes: ['±: one standard deviation of a run.', ...notes],
  }
}
