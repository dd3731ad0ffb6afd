import type { Experiment } from '../experiment.ts'
import { bars } from './bars.ts'
import { classifierFigures } from './classifier.ts'
import { overallErrors } from './overall.ts'

/** §6 of the iReduct paper. */
export const ireductExperiments: readonly Experiment[] = [...overallErrors, ...classifierFigures, bars]
