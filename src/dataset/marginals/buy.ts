import { leftToAsk, priceOfAnswer } from '../../answer/index.ts'
import { type Rational, subtract, toNumber } from '../../numeric/index.ts'
import { countAll, type LinearQuery, marginal } from '../../query/index.ts'
import {
  firstLook,
  type MarginalsContext,
  type MarginalsRequest,
  type MethodName,
  measureMarginals,
  methodNamed,
  stoppingPoint,
} from '../../release/index.ts'
import { ReticentError } from '../../schema/index.ts'
import {
  addSpending,
  isPublic,
  measurementCharge,
  runHold,
  type Spending,
  unitsToRational,
  zeroSpending,
} from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import type { Closing, Meter, Quota } from '../../trusted/meter/index.ts'
import { type PaidSession, sayingWhatWasPaid } from '../paid.ts'
import { byQuery, counting, type MarginalsRelease, published } from './made.ts'
import { floorOf, isAffordable, isShared, type Making, requestOf, termsOf, unitScale } from './making.ts'
import type { MarginalsChoice, MarginalsOptions } from './options.ts'
import { recordsFor, recordsFrom } from './records.ts'

/** Buys the marginals, makes them agree, and says what they are worth. */
export function buyMarginals(choice: MarginalsChoice, making: Buying): Promise<MarginalsRelease> {
  const { book } = making
  const queries = choice.marginals.filter((attributes) => !isShared(attributes, book)).map(marginal)
  return sayingWhatWasPaid(making, { queries, seeFree }, () => bought(choice, making))
}

type Buying = Making & PaidSession & Pick<MarginalsOptions, 'progress' | 'signal'>

/** Of tables that were all measured, and of those of which some are missing. */
const seeFree = (share: number): string =>
  share === 1
    ? 'Write the tables at no cost: release them again with --free instead of --epsilon.'
    : 'Some tables were measured: list them with --of, and --free instead of --epsilon, to write them at no cost.'

async function bought(choice: MarginalsChoice, making: Buying): Promise<MarginalsRelease> {
  const { book, quota, progress, signal } = making
  const { epsilon } = choice
  if (epsilon === null) return freeMarginals(choice, making)
  const before = book.spent()
  const records = await recordsFor({ ...choice, epsilon }, making)
  const costly = choice.marginals.filter((attributes) => !isShared(attributes, book))
  if (costly.length === 0) return freeMarginals(choice, making)
  // The meter would say so too, but not before the number of records is paid for.
  if (!isAffordable(runHold({ epsilon }), book, quota)) throw tooDear(epsilon, book, quota)
  const request = requestOf({ ...choice, marginals: costly }, epsilon, records)
  refuseGuarded(request, making)
  const measured = await measureMarginals(request, {
    universe: book.universe,
    unitScale: unitScale(book),
    meter: onBehalfOf(await making.meter(), quota),
    // What comes after is quick, and takes about a fifth.
    progress: (share) => progress?.(0.8 * share),
    signal,
  })
  await stoppingPoint(signal)
  const answers = measured.receipts.flatMap(({ measurements }) => measurements)
  const release = published(choice, making, {
    method: choice.method,
    before,
    bought: answers,
    paid: paidFor(choice.method, epsilon, measured.receipts, book),
    own: byQuery(answers),
    ...(measured.records !== undefined && { records: { count: measured.records, from: recordsFrom(records) } }),
    floor: measured.floor,
    heldBack: measured.marginals.filter(({ heldBack }) => heldBack).map(({ attributes }) => attributes),
  })
  await stoppingPoint(signal)
  progress?.(1)
  return release
}

/**
 * Asks the guards about all first answers before any of them, or the number of records, is paid for: where that is
 * bought, as far as they do not depend on it. (The meter asks again.)
 */
function refuseGuarded(request: MarginalsRequest, { book, approve }: Making): void {
  const { method, records } = request
  if (methodNamed(method).needs.records && records.kind === 'bought') return
  const context = { universe: book.universe, unitScale: unitScale(book) }
  const { queries, scales, recordsScale } = firstLook(request, records.kind === 'known' ? records.count : 1, context)
  const laplace = (query: LinearQuery, scale: Rational) => measurementCharge({ query, law: { kind: 'laplace', scale } })
  const count = recordsScale ? [laplace(countAll, recordsScale)] : []
  approve([...count, ...queries.map((query, i) => laplace(query, scales[i]!))])
}

/**
 * What the purchases cost, the last of which is the method's own: in ρ its answers, or all that it held for them.
 */
function paidFor(method: MethodName, epsilon: Rational, receipts: readonly Closing[], book: Book): Spending {
  const priceOfAll = (all: readonly Closing[]) =>
    all
      .flatMap(({ measurements }) => measurements.map((each) => priceOfAnswer(each, book)))
      .reduce(addSpending, zeroSpending)
  const [first, own] = [priceOfAll(receipts.slice(0, -1)), priceOfAll(receipts.slice(-1))]
  if (!methodNamed(method).keepsHold) return addSpending(first, own)
  const { rho } = runHold({ epsilon: subtract(epsilon, unitsToRational(first.epsilon)) })
  return addSpending(first, { epsilon: own.epsilon, rho })
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
    paid: zeroSpending,
    own: byQuery(counting(book)),
    records: { count, from: isPublic(countAll, termsOf(book)) ? 'public' : 'history' },
    floor: floorOf(choice.floor, count),
    heldBack: [],
  })
}

const onBehalfOf = (meter: Meter, analyst: Quota | null): MarginalsContext<Closing>['meter'] => ({
  measure: (charges) => meter.measure({ charges, analyst, statement: null }),
  openRun: (request) => meter.openRun({ ...request, analyst, statement: null }),
  openDraws: (request) => meter.openDraws({ ...request, analyst, statement: null }),
})

function tooDear(epsilon: Rational, book: Book, quota: Quota | null): ReticentError {
  const facts = { asked: toNumber(epsilon), left: leftToAsk(book, quota, 'marginals').epsilon }
  return new ReticentError('budget-exceeded', facts, {
    message: `this costs ε = ${facts.asked}, and ${facts.left} is left${book.cap.rho === null ? '' : ' for marginals'}`,
    hint: facts.left > 0 ? `Ask with --epsilon ${facts.left} or less.` : 'Nothing is left to spend.',
  })
}
const untold = () =>
  new ReticentError(
    'not-estimable',
    {},
    { message: 'earlier answers do not determine these tables', hint: 'Buy them: --epsilon E.' },
  )
