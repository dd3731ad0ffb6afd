import { equals, one } from '../../numeric/index.ts'
import { type LinearQuery, type Measurement, marginalOver, noiseSpread, noiseVariance } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import type { PastAnswers } from '../history-model.ts'

/**
 * So many deviations of its noise, and so many scales of Laplace noise, the total of a table may be off by: by chance it is further off less
 * than once in 10²⁰ tables. Deviations alone would not do: ten of them are exceeded by one Laplace noise in a million.
 */
const [mostDeviations, mostScales] = [10, 50]

/** Throws where released counts cannot be about the public number of records: their model would be of no table at all. */
export function refuseContradiction({ measurements, records }: Pick<PastAnswers, 'measurements' | 'records'>): void {
  if (records === undefined) return
  for (const measurement of measurements) {
    const isWhole = marginalOver(measurement.query) !== undefined
    if (!isWhole && !isCount(measurement.query)) continue
    const more = totalOf(measurement) - records
    if ((isWhole ? Math.abs(more) : more) > allowance(measurement)) throw contradiction(isWhole)
  }
}

/** Of records that meet conditions, each in one group at most. */
function isCount({ terms, step }: LinearQuery): boolean {
  const [term, ...others] = terms
  if (!term || others.length > 0 || term.coefficient !== 1 || !equals(step, one)) return false
  return Object.values(term.factors).every(({ kind }) => kind === 'interval' || kind === 'set')
}

function totalOf({ values }: Measurement): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += Number(values[i])
  return total
}

const allowance = ({ values, law }: Measurement): number =>
  mostDeviations * Math.sqrt(values.length * noiseVariance(law)) +
  (law.kind === 'laplace' ? mostScales * noiseSpread(law) : 0)

const contradiction = (isWhole: boolean) =>
  problem(
    'not-supported',
    isWhole
      ? 'the total of a released table differs from the public number of records by far more than its noise'
      : 'a released count is above the public number of records by far more than its noise',
    'The ledger may mix two tables. Verify it: `reticent ledger verify`.',
  )
