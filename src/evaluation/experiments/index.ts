import { named } from '../named.ts'
import { bayesExperiments } from './bayes/index.ts'
import { coverageExperiments } from './coverage/index.ts'
import type { Experiment } from './experiment.ts'
import { historyExperiments } from './history/index.ts'
import { ireductExperiments } from './ireduct/index.ts'
import { marginalsExperiments } from './marginals/index.ts'
import { mwemExperiments } from './mwem/index.ts'

export type { Outcome } from './experiment.ts'
export { chart } from './svg.ts'

export const experiments: readonly Experiment[] = [
  ...bayesExperiments,
  ...coverageExperiments,
  ...ireductExperiments,
  ...marginalsExperiments,
  ...mwemExperiments,
  ...historyExperiments,
]

/** The experiment of this name; throws with the nearest one and the list. */
export const experimentNamed = (name: string): Experiment => named('experiment', experiments, name)
