import type { Experiment } from '../experiment.ts'
import { alphaSweep } from './alpha-sweep.ts'

/** The experiments of the paper about historical noisy answers (§5). */
export const historyExperiments: readonly Experiment[] = [alphaSweep]
