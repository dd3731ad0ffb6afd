import { compareSystems } from './answering.ts'
import type { Experiment } from './experiment.ts'

/** More than a thousand questions can cost. */
const plenty = 10_000

/** Fig. 9 with the settings of §6.4.1: everything is answered, ours begins with a tree for ε = 0.3, 2ε is on [50, 1000]. */
export const unbounded: Experiment = {
  name: 'bayes-unbounded',
  about: 'what 1,000 questions cost when all are answered, after a tree of ε 0.3 (Fig. 9)',
  run: (options) => compareSystems({ budget: plenty, least: 50, tree: 0.3 }, options),
}
