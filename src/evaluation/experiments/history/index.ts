import type { Experiment } from '../experiment.ts'
import { alphaChoice } from './alpha-choice.ts'
import { alphaSweep } from './alpha-sweep.ts'
import { jointErrors } from './joint-errors.ts'
import { manyRanges } from './many-ranges.ts'
import { parameterSweep } from './parameters.ts'
import { runningTimes } from './running-times.ts'
import { statedErrors } from './stated-errors.ts'

/** The experiments of the paper about historical noisy answers (§5), and one about errors. */
export const historyExperiments: readonly Experiment[] = [
  alphaSweep,
  alphaChoice,
  parameterSweep,
  runningTimes,
  jointErrors,
  manyRanges,
  statedErrors,
]
