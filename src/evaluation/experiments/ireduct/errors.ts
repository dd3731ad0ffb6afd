import { mean } from '../../../numeric/index.ts'
import { type Counted, errorOfZeros, overallError } from '../../marginals/index.ts'
import type { SeededBits } from '../../seeded.ts'
import type { Reading } from './figure.ts'
import { names, releaseAll, type Setting } from './release.ts'

/** The lines of a figure of overall errors: all methods, and what tables of zeros would have. */
export const errorLines: readonly string[] = [...names, 'zeros']

export const errorNotes: readonly string[] = [
  'Overall error: Definition 6, mean of the runs. default: iReduct combined, projected and rounded; fitted Laplace: the same of Laplace.',
  'zeros: tables of zeros, which cost nothing: whoever is above tells less than nothing.',
  '-: noise of λmax = n/10 costs more than ε already, so iReduct and iResamp return nothing.',
]

/** Mean overall error of each method, which is run once on each of these. */
export async function meanErrors(inputs: readonly Counted[], setting: Setting, bits: SeededBits): Promise<Reading> {
  const errors = new Map<string, number[]>(errorLines.map((line) => [line, []]))
  for (const counted of inputs) {
    const floor = setting.floorShare * counted.records
    errors.get('zeros')!.push(errorOfZeros(counted.counts, floor))
    for (const [name, values] of await releaseAll(counted, setting, names, bits))
      errors.get(name)!.push(overallError(counted.counts, values, floor))
  }
  return new Map([...errors].filter(([, list]) => list.length > 0).map(([line, list]) => [line, mean(list)]))
}
