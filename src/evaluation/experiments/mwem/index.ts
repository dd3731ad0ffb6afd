import type { Experiment } from '../experiment.ts'
import { synthAdult } from './adult.ts'
import { largerTable, smallTables } from './contingency.ts'
import { cubes } from './cubes.ts'
import { ranges } from './ranges.ts'
import { rounds } from './rounds.ts'
import { scale } from './scale.ts'

/** The experiments of the MWEM paper (§3, §4), and synthetic tables of Adult. */
export const mwemExperiments: readonly Experiment[] = [
  ranges,
  smallTables,
  largerTable,
  cubes,
  scale,
  rounds,
  synthAdult,
]
