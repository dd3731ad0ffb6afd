import type { Experiment } from '../experiment.ts'
import { coverageAdaptive } from './adaptive.ts'
import { coverage } from './coverage.ts'

/** How often intervals hold. */
export const coverageExperiments: readonly Experiment[] = [coverage, coverageAdaptive]
