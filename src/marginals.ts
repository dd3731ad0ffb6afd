import { costOf, type Knowledge, leftFor, leftToAsk, raisedBy } from './answer/index.ts'
import { usage } from './given.ts'
import { byQuery, type Costing, counting, type MarginalsRelease, published } from './marginals-made.ts'
import type { MarginalsChoice } from './marginals-options.ts'
import { fromNumber, one, type Rational, toNumber } from './numeric/index.ts'
import { confidence, type Expected, type PublishedRecords } from './publish/index.ts'
import { countAll } from './query/index.ts'
import {
  type Consistent,
  consistentMarginals,
  type MarginalsContext,
  type MarginalsRequest,
  type Method,
  measureMarginals,
  planScales,
} from './release/index.ts'
import { ReticentError } from './schema/index.ts'
import { fits, isPublic, type Spending, scaleFor } from './trusted/accounting/index.ts'
import { type Book, type Head, runHold } from './trusted/ledger/index.ts'
import type { Approve, Closing, Meter, Quota } from './trusted/meter/index.ts'

export interface MarginalsPlan extends Costing {
  readonly method: Method
  readonly marginals: readonly PlannedTable[]
  readonly records: number
  readonly floor: number
  /** Overall errors to expect of the measured values, and of tables of zeros: were the tables as guessed. */
  readonly expected: Omit<Expected, 'counts'>
  /** What the tables were guessed from: a uniform guess knows nothing, and errors come out larger than it says. */
  readonly guess: 'history' | 'uniform' | 'both'
  readonly affordable: boolean
}
export interface PlannedTable {
  readonly attributes: readonly string[]
  readonly cells: number
  readonly scale: number
  readonly epsilon: number
  readonly error: number
}

/** What a release of marginals is made with. */
export interface Making {
  readonly book: Book
  readonly knowledge: Knowledge
  readonly quota: Quota | null
  /** Uniform numbers below 1, for proofs and simulations about public numbers. */
  readonly random: () => number
}

/** What the release would cost and how far off it would be, without buying anything; throws where a guard would refuse. */
export async function planMarginals(
  choice: MarginalsChoice,
  making: Making & { readonly approve: Approve; readonly meter: () => Promise<Meter> },
): Promise<MarginalsPlan> {
  const { book, quota, approve } = making
  const { marginals, method, epsilon } = choice
  if (epsilon === null) throw usage('what is free needs no plan')
  const records = await recordsFor(choice, making)
  const about = records.kind === 'known' ? records.count : choice.records
  if (about === undefined) throw unknownSize()
  const request = requestOf(choice, epsilon, records)
  const guessed = guessFrom(marginals, making)
  const guess = { records: about, counts: (attributes: readonly string[]) => guessed.get(attributes) }
  const plan = planScales(request, guess, { universe: book.universe, unitScale: unitScale(book) })
  approve(plan.marginals.map(({ query, scale }) => ({ query, law: { kind: 'laplace', scale: fromNumber(scale) } })))
  const held = runHold(epsilon)
  return {
    method,
    marginals: plan.marginals.map(({ query: _, ...table }) => table),
    records: plan.records,
    floor: plan.floor,
    expected: { measured: plan.error, zeros: plan.errorOfZeros },
    guess: guessed.size === 0 ? 'uniform' : guessed.size === marginals.length ? 'history' : 'both',
    cost: costOf(held, book),
    raised: raisedBy(book.spent(), book.spentWith([], { epsilon: 0, rho: book.cap.rho && 0 }, { held }), book),
    affordable: isAffordable(held, book, quota),
    left: leftFor(book),
  }
}

/** A record is in every marginal, so it pays for all of them: as much as a run holds. */
function isAffordable(held: Spending, book: Book, quota: Quota | null): boolean {
  const own = quota && book.spentWith([], quota.cap, { analyst: quota.name, held })
  return fits(book.spentWith([], book.cap, { held }), book.cap) && (!own || fits(own, quota.cap))
}

/** Buys the marginals, makes them agree, and says what they are worth. */
export async function buyMarginals(
  choice: MarginalsChoice,
  making: Making & { readonly meter: () => Promise<Meter>; readonly progress?: (share: number) => void },
): Promise<{ release: MarginalsRelease; head: Head }> {
  const { book, quota, progress } = making
  if (choice.epsilon === null) return { release: freeMarginals(choice, making), head: book.head }
  const before = book.spent()
  const records = await recordsFor(choice, making)
  // The meter would say so too, but not before the number of records is paid for.
  if (!isAffordable(runHold(choice.epsilon), book, quota)) throw tooDear(choice.epsilon, book, quota)
  const measured = await measureMarginals(requestOf(choice, choice.epsilon, records), {
    universe: book.universe,
    unitScale: unitScale(book),
    meter: onBehalfOf(await making.meter(), quota),
    // What comes after is quick, and takes about a fifth.
    progress: (share) => progress?.(0.8 * share),
  })
  const bought = measured.receipts.flatMap(({ measurements }) => measurements)
  const release = published(choice, making, {
    method: choice.method,
    before,
    bought,
    own: byQuery(bought),
    records: { count: measured.records, from: records.kind === 'bought' ? 'bought' : records.from },
    floor: measured.floor,
  })
  progress?.(1)
  return { release, head: measured.receipts.at(-1)!.head }
}

/** The same from the history alone, at no cost. */
function freeMarginals(choice: MarginalsChoice, making: Making): MarginalsRelease {
  const { book, knowledge } = making
  const known = knowledge.about(countAll)?.[0]
  if (!known) throw untold()
  const count = Math.max(1, Math.round(known.estimate))
  return published(choice, making, {
    method: null,
    before: book.spent(),
    bought: [],
    own: byQuery(counting(book)),
    records: { count, from: isPublic(countAll, termsOf(book)) ? 'public' : 'history' },
    floor: choice.floor.kind === 'count' ? choice.floor.count : choice.floor.share * count,
  })
}

type KnownRecords =
  | { readonly kind: 'known'; readonly count: number; readonly from: Exclude<PublishedRecords['from'], 'bought'> }
  | Extract<MarginalsRequest['records'], { kind: 'bought' }>

/** Half the width of the interval that n is taken from the history with, relative to n. */
const nearEnough = 0.1

/** The number of records: public where it is, from the history where that tells it well enough, else to be bought. */
async function recordsFor(
  { countShare }: MarginalsChoice,
  { book, knowledge, quota, meter }: Making & { readonly meter: () => Promise<Meter> },
): Promise<KnownRecords> {
  const isFree = isPublic(countAll, termsOf(book))
  let known = knowledge.about(countAll)?.[0]
  if (isFree && !known) {
    const charges = [{ query: countAll, law: { kind: 'none' } as const }]
    await (await meter()).measure({ charges, analyst: quota, statement: null })
    known = knowledge.about(countAll)?.[0]
  }
  if (known && known.posterior().halfWidth(confidence) <= nearEnough * known.estimate)
    return { kind: 'known', count: known.estimate, from: isFree ? 'public' : 'history' }
  return { kind: 'bought', share: countShare }
}

const requestOf = (choice: MarginalsChoice, epsilon: Rational, records: KnownRecords): MarginalsRequest => {
  const { marginals, method, floor, firstShare } = choice
  return { marginals, method, epsilon, floor, records, ...(firstShare && { firstShare }) }
}

/** What the history says of these marginals; those that it does not tell are missing. */
function guessFrom(marginals: MarginalsChoice['marginals'], { book, random }: Making) {
  const measurements = counting(book)
  const guess = (wanted: MarginalsChoice['marginals']) =>
    orUndefined(() => consistentMarginals(book.universe, wanted, { measurements, random }))
  // Mostly it tells all or none of them.
  const all = guess(marginals)
  return new Map(
    marginals.flatMap((attributes, i) => {
      const table = all ? all.unrounded[i] : guess([attributes])?.unrounded[0]
      return table ? [[attributes, table]] : []
    }),
  )
}

function orUndefined(work: () => Consistent): Consistent | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof ReticentError && error.code === 'not-estimable') return undefined
    throw error
  }
}

const termsOf = (book: Book) => ({ universe: book.universe, privacy: book.terms })
const unitScale =
  (book: Book): MarginalsContext['unitScale'] =>
  (query) =>
    scaleFor(query, one, termsOf(book))

const onBehalfOf = (meter: Meter, analyst: Quota | null): MarginalsContext<Closing>['meter'] => ({
  measure: (charges) => meter.measure({ charges, analyst, statement: null }),
  openRun: (request) => meter.openRun({ ...request, analyst, statement: null }),
  openDraws: (request) => meter.openDraws({ ...request, analyst, statement: null }),
})

function tooDear(epsilon: Rational, book: Book, quota: Quota | null): ReticentError {
  const facts = { asked: toNumber(epsilon), left: leftToAsk(book, quota).epsilon }
  return new ReticentError('budget-exceeded', facts, {
    message: `this costs ε = ${facts.asked}, and ${facts.left} is left`,
    hint: facts.left > 0 ? `Ask with --epsilon ${facts.left} or less.` : 'Nothing is left to spend.',
  })
}
const untold = () =>
  new ReticentError(
    'not-estimable',
    {},
    { message: 'what has been released so far does not tell these tables', hint: 'Buy them: --epsilon E.' },
  )
const unknownSize = () =>
  usage(
    'how many records there are is neither public nor known yet, and a plan depends on it',
    'Say about how many: --records 100000. The release itself buys the number with a share of its ε.',
  )
