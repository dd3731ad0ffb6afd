import type { Experiment } from '../experiment.ts'
import { expected } from './expected.ts'
import { gaussianMarginals } from './gaussian.ts'
import { afterwards } from './steps.ts'

/** What is done with marginals besides choosing their noise. */
export const marginalsExperiments: readonly Experiment[] = [afterwards, expected, gaussianMarginals]
