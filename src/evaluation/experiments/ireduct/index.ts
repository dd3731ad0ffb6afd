import type { Experiment } from '../experiment.ts'
import { bars, elsewhere } from './bars.ts'
import { bias } from './bias.ts'
import { classifierFigures } from './classifier.ts'
import { overallErrors } from './overall.ts'

/** §6 of the iReduct paper, and what it does not look at. */
export const ireductExperiments: readonly Experiment[] = [...overallErrors, ...classifierFigures, bars, elsewhere, bias]
