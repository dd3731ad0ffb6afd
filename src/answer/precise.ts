import { describe, type Statement } from '../query/index.ts'
import { ReticentError } from '../schema/index.ts'
import type { Book } from '../trusted/ledger/index.ts'
import type { Approve, Meter, Quota } from '../trusted/meter/index.ts'
import type { Answer, Asked, Plan } from './answer.ts'
import { compose, confidenceFor, isSimultaneous } from './compose.ts'
import { together } from './joint.ts'
import type { Knowledge } from './knowledge.ts'
import { fromHistory } from './known-part.ts'
import { type Capped, checkPrice } from './price/check-price.ts'
import { choose } from './price/choice.ts'
import { costOf, outlook } from './price/cost.ts'
import { needsOf } from './price/needs.ts'
import { buy, type Chosen, kindOf, knownPart, purchasesOf, reportOf, totalOf } from './price/purchase.ts'
import { checkProbability } from './probability.ts'
import { askRatios, planRatios } from './ratio/within.ts'

/** Half the width of the interval that is wanted, in the data's own units. */
export interface Within extends Asked, Capped {
  readonly within: number
  /** Ratios whose denominator is smaller than this need not be so precise. */
  readonly floor?: number
}

export interface Asking {
  readonly book: Book
  readonly knowledge: Knowledge
  readonly quota: Quota | null
  /** Says no to what the policy guards. */
  readonly approve?: Approve
}

/** What it would take to answer within ± `within`: from the policy and the history alone. */
export function planWithin(statement: Statement, wanted: Within, asking: Asking): Plan {
  const needs = needsOf(statement, wanted)
  if (needs.ratios.length > 0) return planRatios(statement, wanted, needs, asking)
  const { book, quota, approve } = asking
  const chosen = chooseAll(statement, needs.parts, wanted, asking)
  const charges = purchasesOf(chosen).map(({ charge }) => charge)
  approve?.(charges)
  const budget = outlook(charges, book, quota)
  const cost = costOf(totalOf(chosen), book)
  return {
    query: statement.text,
    confidence: wanted.confidence,
    ...(isSimultaneous(statement, wanted) ? { simultaneous: true } : {}),
    kind: kindOf(chosen),
    cost,
    ...budget,
    affordable: budget.affordable && cost.epsilon <= (wanted.maxEpsilon ?? Infinity),
    parts: chosen.map((part) => ({ ...reportOf(part, book), within: part.precision.within })),
  }
}

/** Answers within ± `within`: from the history where that is enough, else by the cheapest purchase that makes it so. */
export async function askWithin(
  statement: Statement,
  wanted: Within,
  asking: Asking & { meter: Meter },
): Promise<Answer> {
  checkProbability(statement, wanted.probability)
  const { book, knowledge, quota, meter } = asking
  await book.follow()
  const needs = needsOf(statement, wanted)
  if (needs.ratios.length > 0) return askRatios(statement, wanted, needs, asking)
  const chosen = chooseAll(statement, needs.parts, wanted, asking)
  checkPrice(totalOf(chosen), wanted, book)
  const { measurements, bought } = await buy(chosen, { meter, quota, statement: statement.text })
  const parts = chosen.map(({ query, choice, precision }, i) =>
    knownPart({ precision, choice, measured: measurements[i], after: knowledge.about(query) }),
  )
  const reports = chosen.map((part) => reportOf(part, book))
  const notConsulted = !isConsulted(statement, knowledge)
  return compose(statement, wanted, { kind: kindOf(chosen), parts, reports, bought, notConsulted }, book)
}

const isConsulted = ({ parts }: Statement, knowledge: Knowledge): boolean =>
  parts.every((query) => knowledge.isConsulted(query))

/** The best answer that costs nothing; undefined where the history does not tell. */
export function freeAnswer(statement: Statement, wanted: Asked, { book, knowledge }: Asking): Answer | undefined {
  checkProbability(statement, wanted.probability)
  if (!isConsulted(statement, knowledge)) throw tooManyGroups()
  const known = statement.parts.map((query) => knowledge.about(query))
  if (!known.every((k) => k !== undefined)) return undefined
  const reports = statement.parts.map((query) => ({
    description: describe(query, book.universe),
    epsilon: 0,
    scale: 0,
  }))
  const parts = known.map((cells) => fromHistory(cells))
  const joint = together(statement.parts, knowledge)
  return compose(statement, wanted, { kind: 'free', parts, reports, joint }, book)
}

function chooseAll(
  statement: Statement,
  needs: readonly number[],
  wanted: Within,
  { book, knowledge }: Asking,
): Chosen[] {
  const confidence = confidenceFor(statement, wanted)
  return statement.parts.map((query, part) => {
    const precision = { confidence, within: needs[part]! }
    return { query, precision, choice: choose(query, precision, knowledge.about(query), book) }
  })
}

const tooManyGroups = () =>
  new ReticentError(
    'not-estimable',
    {},
    {
      message: 'there are too many groups to work out what the history says about each',
      hint: 'Ask for fewer groups at once, or buy them: --within W for a precision, or --epsilon E for a price.',
    },
  )
