import { describe, type LinearQuery, type Statement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import { addSpending, type Spending, zeroSpending } from '../trusted/accounting/index.ts'
import type { Book } from '../trusted/ledger/index.ts'
import type { Meter } from '../trusted/meter/index.ts'
import { affineOf } from './affine.ts'
import type { Answer, Asked, Plan } from './answer.ts'
import { type Bought, compose } from './compose.ts'
import type { Known } from './knowledge.ts'
import { fromHistory, fromMeasurement, type KnownPart } from './known-part.ts'
import type { Asking } from './precise.ts'
import { type Capped, checkPrice } from './price/check-price.ts'
import { type FreshPurchase, fresh, ownAnswer } from './price/choice.ts'
import { outlook as budgetAfter, costOf } from './price/cost.ts'
import { scaleOf } from './price/price.ts'
import { checkProbability } from './probability.ts'

/** Within ± relative·max(the exact number, floor). */
export interface Relative extends Asked, Capped {
  readonly relative: number
  readonly floor: number
}

/**
 * Three intervals must hold: the history's, a first purchase's, and the second's. Which of them becomes the answer is
 * decided by what they say, so each is allowed a third of the doubt.
 */
const confidenceOf = ({ confidence }: Asked) => 1 - (1 - confidence) / 3

/** What can be said before anything is bought, about the part and in the data's units. */
interface Outlook {
  readonly query: LinearQuery
  readonly floor: number
  /** How precise the number must be, given a lower bound on it. */
  readonly goal: (bound: number) => number
  /** Is an estimate that lies within ± half of the number precise enough? Then the number is no less than its lower end. */
  readonly isEnough: (estimate: number, half: number) => boolean
  /** What tells most about the number at no cost. */
  readonly known: Known | undefined
  readonly isFree: boolean
  /** The history's lower bound. */
  readonly bound: number
  /** A purchase within ± floor, where it may save more than it costs. */
  readonly first: FreshPurchase | undefined
}

function outlook(statement: Statement, wanted: Relative, { book, knowledge }: Asking): Outlook {
  const { query, times } = targetOf(statement)
  const { relative } = wanted
  const floor = wanted.floor / times
  const isEnough = (estimate: number, half: number) => half <= relative * Math.max(estimate - half, floor)
  // So precise that an estimate no smaller than the bound is enough: asked again, it will be free.
  const goal = (bound: number) => relative * Math.max(bound / (1 + relative), floor)
  const told = [knowledge.about(query), ownAnswer(query, book)].flatMap((all) => all ?? [])
  const halfOf = (of: Known) => of.posterior().halfWidth(confidenceOf(wanted))
  const known = told.sort((a, b) => halfOf(a) - halfOf(b))[0]
  const [isFree, bound] = known
    ? [isEnough(known.estimate, halfOf(known)), known.estimate - halfOf(known)]
    : [false, Number.NEGATIVE_INFINITY]
  const [first, second] = [floor, goal(bound)].map((within) => purchaseOf(query, wanted, within, book))
  const pays = 2 * costOf(first!.price, book).epsilon <= costOf(second!.price, book).epsilon
  return { query, floor, goal, isEnough, known, isFree, bound, first: pays ? first : undefined }
}

const purchaseOf = (query: LinearQuery, wanted: Relative, within: number, book: Book): FreshPurchase =>
  fresh(query, { within, confidence: confidenceOf(wanted) }, book)

/**
 * The exact number with a relative error, in at most two purchases: the number within ± floor, which is a lower bound
 * and for a large number all that is needed; else the number again, as precisely as the bound says that it must be.
 * The answer is the last purchase alone, so that choosing its noise by the first tells nothing about its error.
 */
export async function askRelative(
  statement: Statement,
  wanted: Relative,
  asking: Asking & { meter: Meter },
): Promise<Answer> {
  const { book, meter, quota } = asking
  checkProbability(statement, wanted.probability)
  await book.follow()
  const { query, floor, goal, isEnough, known, isFree, first, ...seen } = outlook(statement, wanted, asking)
  const answer = (parts: readonly KnownPart[], scale: number, bought?: Bought): Answer => {
    const reports = [
      { description: describe(query, book.universe), epsilon: costOf(parts[0]!.price, book).epsilon, scale },
    ]
    const kind = bought ? 'fresh' : 'free'
    const made = compose(
      statement,
      { ...wanted, confidence: confidenceOf(wanted) },
      { kind, parts, reports, bought },
      book,
    )
    return { ...made, confidence: wanted.confidence }
  }
  if (isFree) return answer([fromHistory([known!])], 0)
  const buy = ({ charge, price }: FreshPurchase, before: Spending) => {
    checkPrice(addSpending(before, price), wanted, book)
    return meter.measure({ charges: [charge], analyst: quota, statement: statement.text })
  }
  const opening = first && (await buy(first, zeroSpending))
  const found = opening && fromMeasurement(opening.measurements[0]!, first.price)
  if (found && isEnough(found.values[0]!, floor)) return answer([found], scaleOf(first.charge), opening)
  const bound = found ? Math.max(seen.bound, found.values[0]! - floor) : seen.bound
  const second = purchaseOf(query, wanted, goal(bound), book)
  const closing = await buy(second, first?.price ?? zeroSpending)
  const price = addSpending(first?.price ?? zeroSpending, second.price)
  const { before } = opening ?? closing
  return answer([fromMeasurement(closing.measurements[0]!, price)], scaleOf(second.charge), { ...closing, before })
}

/** From the least that it may cost, where the number turns out large, to the most. */
export function planRelative(statement: Statement, wanted: Relative, asking: Asking): Plan {
  const { book, quota, approve } = asking
  const { query, floor, goal, bound, isFree, first } = outlook(statement, wanted, asking)
  const second = purchaseOf(query, wanted, goal(bound), book)
  const steps = isFree ? [] : [...(first ? [{ ...first, within: floor }] : []), { ...second, within: goal(bound) }]
  const charges = steps.map(({ charge }) => charge)
  approve?.(charges)
  const most = steps.map(({ price }) => price).reduce(addSpending, zeroSpending)
  const budget = budgetAfter(charges, book, quota)
  const cost = costOf(most, book)
  return {
    query: statement.text,
    confidence: wanted.confidence,
    kind: isFree ? 'free' : 'fresh',
    cost,
    least: isFree || !first ? cost : costOf(first.price, book),
    ...budget,
    affordable: budget.affordable && cost.epsilon <= (wanted.maxEpsilon ?? Infinity),
    parts: steps.map(({ charge, price, within }) => ({
      description: describe(query, book.universe),
      epsilon: costOf(price, book).epsilon,
      scale: scaleOf(charge),
      within,
    })),
  }
}

/** One number that is a positive multiple of one part. */
function targetOf({ axes, parts, columns }: Statement): { query: LinearQuery; times: number } {
  const [column, ...others] = columns
  const affine = column?.kind === 'value' ? affineOf(column.expression) : undefined
  const plain = axes.length === 0 && parts.length === 1 && others.length === 0
  if (plain && affine?.part !== undefined && affine.times > 0 && affine.offset === 0)
    return { query: parts[affine.part]!, times: affine.times }
  throw new ReticentError(
    'not-supported',
    {},
    {
      message: 'a relative precision can be asked of one count or sum, without GROUP BY, only',
      hint: 'Ask with --within W for each group, or with --epsilon E.',
    },
  )
}
