import type { Experiment } from '../experiment.ts'
import { synthAdult } from './adult.ts'

/** The experiments of the MWEM paper (§3, §4), and synthetic tables of Adult. */
export const mwemExperiments: readonly Experiment[] = [synthAdult]
