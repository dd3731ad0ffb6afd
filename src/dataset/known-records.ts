import type { Session } from '../answer/index.ts'
import { errorLawByCharacteristic, openHistory } from '../inference/index.ts'
import { countAll, marginalOver } from '../query/index.ts'
import { confidence } from '../release/index.ts'
import { isPublic } from '../trusted/accounting/index.ts'
import { currentMeasurements } from './history/measurements.ts'

/** The number of records, where nobody has to pay for it. */
export interface KnownRecords {
  readonly kind: 'known'
  readonly count: number
  readonly from: 'public' | 'history'
}
/** `roughly`: an estimate from the history that is not precise enough. */
export interface UnknownRecords {
  readonly kind: 'unknown'
  readonly roughly?: number
}

/** n is taken from the history if the half-width of its interval, relative to n, is at most this. */
const nearEnough = 0.1
/**
 * Or with at most this many times the deviation that a purchase would have, however large that is: a release that was
 * refused because of its ε has already bought n, and will be requested again with a little more ε.
 */
const deviations = 2

/**
 * The public number if it is public; otherwise from the history if that is precise enough, compared with the variance
 * of a purchase. A public number that has never been read is read from the data, unless a plan is given about how many
 * records there are.
 */
export async function knownRecords(
  session: Session,
  variance: number,
  about?: number,
): Promise<KnownRecords | UnknownRecords> {
  const { book, knowledge } = session
  const known = fromWholeTables(session) ?? knowledge.about(countAll)?.[0]
  if (isPublic(countAll, { universe: book.universe, privacy: book.terms })) {
    const count = known?.made.variance === 0 ? known.estimate : (about ?? (await publicRecords(session)))
    return { kind: 'known', count, from: 'public' }
  }
  if (!known) return { kind: 'unknown' }
  const isPrecise = () =>
    known.errorLaw().halfWidth(confidence) <= nearEnough * known.estimate ||
    known.made.variance <= deviations ** 2 * variance
  return known.estimate > 0 && isPrecise()
    ? { kind: 'known', count: known.estimate, from: 'history' }
    : { kind: 'unknown', roughly: known.estimate }
}

/**
 * The estimate from whole tables only, the count of all records included: it is immediate, while thousands of other
 * answers would take many seconds and add little.
 */
function fromWholeTables({ book, random }: Session) {
  const history = openHistory(book.universe, { random })
  for (const measurement of currentMeasurements(book)) if (marginalOver(measurement.query)) history.append(measurement)
  const made = history.estimate(countAll)
  if (!made.estimable) return undefined
  return { estimate: made.estimate, made, errorLaw: () => errorLawByCharacteristic(made.coefficients) }
}

/** From the data, without noise and at no cost. */
async function publicRecords({ meter, quota }: Session): Promise<number> {
  const charges = [{ query: countAll, law: { kind: 'none' } as const }]
  const { measurements } = await (await meter()).measure({ charges, analyst: quota, statement: null })
  return Number(measurements[0]!.values[0])
}
