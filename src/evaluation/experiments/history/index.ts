import type { Experiment } from '../experiment.ts'
import { alphaChoice } from './alpha-choice.ts'
import { alphaSweep } from './alpha-sweep.ts'
import { parameterSweep } from './parameters.ts'

/** The experiments of the paper about historical noisy answers (§5). */
export const historyExperiments: readonly Experiment[] = [alphaSweep, alphaChoice, parameterSweep]
