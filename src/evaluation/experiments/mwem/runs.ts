import { mean } from '../../marginals/index.ts'
import type { Outcome } from '../experiment.ts'

/** What came out where the data are not there. */
export const absent = (name: string): Outcome => ({
  settings: {},
  header: ['data'],
  rows: [],
  panels: [],
  notes: [`${name} does not lie beside the project (../shared/data), so there is nothing to show.`],
})

/** One standard deviation of a run, around the mean of several. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1))
}
