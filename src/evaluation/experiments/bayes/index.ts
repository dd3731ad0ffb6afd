import type { Experiment } from '../experiment.ts'
import { bounded, unbounded } from './answering.ts'
import { blueTime } from './blue-time.ts'
import { mcPc } from './mc-pc.ts'

/** The experiments of the Bayesian paper (§6). */
export const bayesExperiments: readonly Experiment[] = [blueTime, mcPc, unbounded, bounded]
