import { costOf, leftToAsk, raisedBy } from '../../answer/index.ts'
import { answerSize, marginal, marginalOver } from '../../query/index.ts'
import {
  type Consistent,
  consistentMarginals,
  type ExpectedError,
  type MethodName,
  type PlannedMarginal,
  planScales,
  type RecordsUsed,
  unlessGuarded,
} from '../../release/index.ts'
import { attributeNamed, ReticentError } from '../../schema/index.ts'
import { runHold, zeroSpending } from '../../trusted/accounting/index.ts'
import type { Approve } from '../../trusted/meter/index.ts'
import { usage } from '../options.ts'
import { type Costing, counting, mostlyNoise } from './made.ts'
import { chargesOf, floorOf, isAffordable, isShared, type Making, requestOf, unitScale } from './making.ts'
import type { MarginalsChoice } from './options.ts'
import { recordsFor, recordsFrom } from './records.ts'

export interface MarginalsPlan extends Costing {
  readonly method: MethodName
  readonly marginals: readonly PlannedTable[]
  /** How the release comes by the number of records; the count is what the plan reckons with, null for none. */
  readonly records: Omit<RecordsUsed, 'count'> & { readonly count: number | null }
  readonly floor: number
  /** Overall errors to expect of the measured values, and of tables of zeros: were the tables as guessed. */
  readonly expected: { readonly measured: number } & Partial<Pick<ExpectedError, 'zeros'>>
  /**
   * What the tables were guessed from. A uniform guess knows nothing, and errors come out larger than it says. With the
   * worst, where not even the number of records is known, no cell is above the floor; what zeros would have is not said.
   */
  readonly guess: 'history' | 'uniform' | 'both' | 'worst'
  readonly affordable: boolean
  /** In plain words; empty where all is well. */
  readonly warnings: readonly string[]
}
export interface PlannedTable {
  readonly attributes: readonly string[]
  readonly cells: number
  readonly scale: number
  readonly epsilon: number
  readonly error: number
}

/** What the release would cost and how far off it would be, without buying anything; throws where a guard would refuse. */
export async function planMarginals(choice: MarginalsChoice, making: Making): Promise<MarginalsPlan> {
  const { book, quota, approve } = making
  const { method, epsilon } = choice
  if (epsilon === null) throw usage('what is free needs no plan')
  const records = await recordsFor({ ...choice, epsilon }, making)
  const about = records.kind === 'known' ? records.count : (choice.records ?? records.roughly)
  const costly = choice.marginals.filter((attributes) => !isShared(attributes, book))
  const guessed = guessFrom(costly, making)
  const context = { universe: book.universe, unitScale: unitScale(book) }
  const known = {
    ...(about !== undefined && { records: about }),
    counts: (names: readonly string[]) => guessed.get(names),
  }
  const request = requestOf({ ...choice, marginals: costly }, epsilon, records)
  const plan = costly.length > 0 ? planScales(request, known, context) : undefined
  const planned = new Map(plan?.marginals.map((table) => [table.attributes, table]))
  const guess = guessOf(costly, { guessed, about, making })
  const floor = plan ? plan.floor : floorOf(choice.floor, Math.max(1, about!))
  const overall = (ofCostly: number, ofShared: number) =>
    ofShared + (costly.length / choice.marginals.length) * (ofCostly - ofShared)
  const expected = {
    measured: overall(plan ? plan.error : 0, 0),
    // What is worst for noise is best for zeros.
    ...(guess !== 'worst' && { zeros: overall(plan ? plan.errorOfZeros : 0, about! / Math.max(floor, about!)) }),
  }
  const held = plan ? runHold({ epsilon }) : zeroSpending
  return {
    method,
    marginals: choice.marginals.map((attributes) => tableOf(attributes, planned.get(attributes))),
    records: {
      count: (plan ? plan.records : about) ?? null,
      from: recordsFrom(records),
      ...plan?.forRecords,
    },
    floor,
    expected,
    guess,
    cost: costOf(held, book),
    raised: raisedBy(book.spent(), book.spentWith([], { epsilon: 0, rho: book.cap.rho && 0 }, { held }), book),
    affordable: isAffordable(held, book, quota),
    left: leftToAsk(book, quota, 'marginals'),
    warnings: [
      ...(plan && !guardsLet(plan.marginals, approve) ? [guardMayStop] : []),
      ...mostlyNoise(expected, 'would be'),
    ],
  }
}

const tableOf = (attributes: readonly string[], planned: PlannedMarginal | undefined): PlannedTable => {
  const { cells, scale, epsilon, error } = planned ?? { cells: 1, scale: 0, epsilon: 0, error: 0 }
  return { attributes, cells, scale, epsilon, error }
}

/** What the history says of these marginals; those that it does not tell are missing. */
function guessFrom(marginals: MarginalsChoice['marginals'], { book, random }: Making) {
  const measurements = counting(book)
  const guess = (wanted: MarginalsChoice['marginals']) =>
    orUndefined(() => consistentMarginals(book.universe, wanted, { measurements, random }))
  // How all of its attributes go together is told by tables that have all of them. Those of one value are in every table.
  const tables = measurements.flatMap(({ query }) => {
    const names = marginalOver(query)
    return names ? [new Set(names)] : []
  })
  const varies = (name: string) => attributeNamed(book.universe, name).size > 1
  const told = marginals.filter((attributes) => {
    const names = attributes.filter(varies)
    return tables.some((table) => names.every((name) => table.has(name)))
  })
  const all = guess(told)
  return new Map(
    told.flatMap((attributes, i) => {
      const table = all ? all.unrounded[i] : guess([attributes])?.unrounded[0]
      return table ? [[attributes, table]] : []
    }),
  )
}

/** A table of one cell holds the number of records: to know that is to know nothing of what is in the others. */
function guessOf(
  marginals: MarginalsChoice['marginals'],
  known: { readonly guessed: ReadonlyMap<readonly string[], unknown>; readonly about: number | undefined } & {
    readonly making: Making
  },
): MarginalsPlan['guess'] {
  const { universe } = known.making.book
  const telling = marginals.filter((attributes) => answerSize(marginal(attributes), universe) > 1)
  const told = telling.filter((attributes) => known.guessed.has(attributes)).length
  if (told > 0) return told === telling.length ? 'history' : 'both'
  return known.about === undefined ? 'worst' : 'uniform'
}

/**
 * Whether guards let the release come to its end. Throws where one would refuse it at once: a method that chooses as it
 * goes is stopped for a table where a guard says so, and goes on with the others.
 */
function guardsLet(marginals: readonly PlannedMarginal[], approve: Approve): boolean {
  approve(chargesOf(marginals, ({ first }) => [first]))
  const isApproved = unlessGuarded(() => {
    approve(chargesOf(marginals, ({ answers }) => answers))
    return true
  })
  return isApproved ?? false
}

const guardMayStop =
  'A guard of the policy may stop this on the way: tables that would tell too much keep more noise than planned, and what that saves goes to the others, or is not spent.'

function orUndefined(work: () => Consistent): Consistent | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof ReticentError && error.code === 'not-estimable') return undefined
    throw error
  }
}
