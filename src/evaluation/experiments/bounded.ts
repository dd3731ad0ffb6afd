import { compareSystems } from './answering.ts'
import type { Experiment } from './experiment.ts'

/** Fig. 10 with the settings of §6.4.2: a budget of 1, 2ε uniform on [1, 1000], δ = 0.2, no history to begin with. */
export const bounded: Experiment = {
  name: 'bayes-bounded',
  about: 'share of 1,000 questions that a budget of 1 answers, and how well (Fig. 10)',
  run: (options) => compareSystems({ budget: 1, least: 1 }, options),
}
