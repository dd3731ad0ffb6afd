import type { Session } from '../../answer/index.ts'
import {
  type ExpectedError,
  floorFor,
  type MethodName,
  noiseOf,
  type PlannedMarginal,
  planScales,
  type RecordsUsed,
  unlessGuarded,
} from '../../release/index.ts'
import { usage } from '../../schema/index.ts'
import { measurementCharge, runHold, zeroSpending } from '../../trusted/accounting/index.ts'
import { type GuessKind, guessFrom, kindOfGuess } from './guess.ts'
import type { TablesRequest } from './options.ts'
import { isShared, outlookOfRun, pricesIn, purposeOf, type TablePrice, tablePrice } from './pricing.ts'
import { recordsFor, recordsFrom } from './records.ts'
import type { Costing } from './tables.ts'
import { guardWarning, laplaceWarnings, noiseWarnings } from './warnings.ts'

export interface MarginalsPlan extends Costing {
  readonly method: MethodName
  /** The kind of noise, which defines the meaning of `scale`. */
  readonly noise: 'laplace' | 'gaussian'
  readonly marginals: readonly PlannedTable[]
  /** How the release gets the number of records. `count` is what the plan was computed with, or null. */
  readonly records: Omit<RecordsUsed, 'count'> & { readonly count: number | null }
  readonly floor: number
  /** Expected overall errors of the measured values, and of tables of zeros, if the tables are as guessed. */
  readonly expected: { readonly measured: number } & Partial<Pick<ExpectedError, 'zeros'>>
  /** What the tables were guessed from. */
  readonly guess: GuessKind
  readonly affordable: boolean
  /** In plain words; empty if there are none. */
  readonly warnings: readonly string[]
}
export type PlannedTable = TablePrice & Pick<PlannedMarginal, 'attributes' | 'cells' | 'scale' | 'deviation' | 'error'>

/** What the release would cost and how far off it would be, without buying anything; throws if a guard would refuse. */
export async function planMarginals(request: TablesRequest, session: Session): Promise<MarginalsPlan> {
  const { marginals, purchase, about } = request
  if (!purchase) throw usage('a free release needs no plan')
  const { book } = session
  const { budget, method } = purchase
  const records = await recordsFor(purchase, session, about)
  const count = records.kind === 'known' ? records.count : (about ?? records.roughly)
  const costly = marginals.filter((attributes) => !isShared(attributes, book))
  const guessed = guessFrom(costly, session)
  const guess = kindOfGuess(costly, guessed, { universe: book.universe, records: count })
  const known = {
    ...(count !== undefined && { records: count }),
    counts: (names: readonly string[]) => guessed.get(names),
  }
  const plan =
    costly.length > 0
      ? planScales({ ...purchase, marginals: costly, records }, known, pricesIn(book, budget))
      : undefined
  const floor = plan ? plan.floor : floorFor(request.floor, Math.max(1, count!))
  const expected = expectedOf({ share: costly.length / marginals.length, plan, floor, count, guess })
  const held = plan ? runHold(budget) : zeroSpending
  const priced = (price: number) => tablePrice(price, budget, book)
  const forRecords = plan?.forRecords && { ...priced(plan.forRecords.price), scale: plan.forRecords.scale }
  const planned = new Map(plan?.marginals.map((table) => [table.attributes, table]))
  return {
    method,
    noise: noiseOf(budget).name,
    marginals: marginals.map((attributes) => tableOf(attributes, planned.get(attributes), priced)),
    records: { count: (plan ? plan.records : count) ?? null, from: recordsFrom(records), ...forRecords },
    floor,
    expected,
    guess,
    ...outlookOfRun(held, session, purposeOf(budget)),
    warnings: [
      ...(plan && mayBeHeldBack(plan.marginals, session) ? [guardWarning] : []),
      ...laplaceWarnings(purchase, costly, book),
      ...noiseWarnings(expected, 'would be'),
    ],
  }
}

/** Over all tables: those that are bought have this share; the others are public, and have no error. */
function expectedOf(planned: {
  readonly share: number
  readonly plan: { readonly error: number; readonly errorOfZeros: number } | undefined
  readonly floor: number
  readonly count: number | undefined
  readonly guess: GuessKind
}): MarginalsPlan['expected'] {
  const { share, plan, floor, count, guess } = planned
  const measured = share * (plan?.error ?? 0)
  // What is worst for noise is best for zeros.
  if (guess === 'worst') return { measured }
  const ofPublic = count! / Math.max(floor, count!)
  return { measured, zeros: share * (plan?.errorOfZeros ?? 0) + (1 - share) * ofPublic }
}

const tableOf = (
  attributes: readonly string[],
  planned: PlannedMarginal | undefined,
  priced: (price: number) => TablePrice,
): PlannedTable => {
  const { cells, scale, deviation, price, error } = planned ?? { cells: 1, scale: 0, deviation: 0, price: 0, error: 0 }
  return { attributes, cells, scale, deviation, ...priced(price), error }
}

/**
 * Whether a guard may hold tables back on the way. Throws if one would refuse the release at once: a method that
 * chooses as it goes leaves a table as it is where a guard says so, and goes on with the others.
 */
function mayBeHeldBack(marginals: readonly PlannedMarginal[], { approve }: Session): boolean {
  approve(marginals.map(({ query, first }) => measurementCharge({ query, law: first })))
  const isApproved = unlessGuarded(() => {
    approve(marginals.flatMap(({ query, answers }) => answers.map((law) => measurementCharge({ query, law }))))
    return true
  })
  return !isApproved
}
