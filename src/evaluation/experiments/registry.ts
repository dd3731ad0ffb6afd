import { nearest, problem } from '../../schema/index.ts'
import { coverageAdaptive } from './adaptive/index.ts'
import { blueTime } from './blue-time.ts'
import { bounded } from './bounded.ts'
import { coverage } from './coverage.ts'
import type { Experiment } from './experiment.ts'
import { historyExperiments } from './history/index.ts'
import { ireductExperiments } from './ireduct/index.ts'
import { marginalsExperiments } from './marginals/index.ts'
import { mcPc } from './mc-pc.ts'
import { mwemExperiments } from './mwem/index.ts'
import { unbounded } from './unbounded.ts'

export const experiments: readonly Experiment[] = [
  blueTime,
  mcPc,
  unbounded,
  bounded,
  coverage,
  coverageAdaptive,
  ...ireductExperiments,
  ...marginalsExperiments,
  ...mwemExperiments,
  ...historyExperiments,
]

/** The experiment of this name; throws with the nearest one and the list. */
export function experimentNamed(name: string): Experiment {
  const found = experiments.find((e) => e.name === name)
  if (found) return found
  const names = experiments.map((e) => e.name)
  const meant = nearest(name, names)
  throw problem(
    'unknown-name',
    `there is no experiment ${JSON.stringify(name)}${meant ? `; did you mean ${meant}?` : ''}`,
    `There are ${names.join(', ')}.`,
    { name, known: names },
  )
}
