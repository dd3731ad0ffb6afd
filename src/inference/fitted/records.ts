import { countAll, marginalOver } from '../../query/index.ts'
import { openHistory } from '../blue/open-history.ts'
import type { PastAnswers } from '../history-model.ts'
import { fitKernel } from '../kernel/fit.ts'
import { learnedPrior } from '../kernel/prior/learned-prior.ts'
import { refuseNoRecords } from './no-records.ts'
import { refuseContradiction } from './public-records.ts'

/** The number of records that a model stands for, and how it was found. */
interface ToldRecords {
  readonly count: number
  /** `guessed`: no answers add up to it; the kernel estimate says it. */
  readonly from: 'public' | 'history' | 'guessed'
}

/** More scalar answers than this are not combined for one number. */
const mostScalars = 1000

/** Public where it is, else what whole tables tell or, without any, other counts that add up to it. Throws where no records are left. */
export function toldRecords(past: PastAnswers, random: () => number): ToldRecords {
  const found = told(past, random)
  refuseNoRecords(found.count, found.from === 'public' ? 'public' : 'answers')
  return found
}

function told(past: PastAnswers, random: () => number): ToldRecords {
  const { universe, measurements, records } = past
  refuseContradiction(past)
  if (records !== undefined) return { count: records, from: 'public' }
  const whole = measurements.filter(({ query }) => marginalOver(query))
  const scalars = measurements.filter(({ query }) => query.by.length === 0).slice(0, mostScalars)
  const tables = measurements.filter(({ query }) => query.by.length > 0)
  // Whole tables say it best, and at once; the others only together.
  for (const some of [whole, scalars, [...tables, ...scalars]]) {
    if (some.length === 0) continue
    const history = openHistory(universe, { random })
    for (const measurement of some) history.append(measurement)
    const made = history.estimate(countAll)
    if (made.estimable) return { count: made.estimate, from: 'history' }
  }
  const prior = learnedPrior(past, random)
  const [count] = fitKernel(past, { prior, random, mostAnswers: mostScalars }).answers(countAll)
  return { count: count!, from: 'guessed' }
}
