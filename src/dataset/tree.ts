import {
  type Cost,
  checkEpsilon,
  costOf,
  leftFor,
  outlook,
  type PricedPart,
  partCost,
  priceParts,
  raisedBy,
  type Session,
  scaleOf,
} from '../answer/index.ts'
import type { Rational } from '../numeric/index.ts'
import { answerSize, type LinearQuery } from '../query/index.ts'
import { releaseTree, type TreeShape, treeLevels } from '../release/index.ts'
import { addSpending, measurementCharge, zeroSpending } from '../trusted/accounting/index.ts'
import { type Book, formatReceipt } from '../trusted/ledger/index.ts'
import type { Receipt } from '../trusted/meter/index.ts'
import { positive } from './options.ts'
import { type PaidSession, sayingWhatWasPaid } from './paid.ts'

/** What a tree is over, and its price. */
export interface TreeOptions {
  /** One attribute, or two for a tree over their pairs. */
  readonly of: readonly string[]
  /** Shared equally by the levels. */
  readonly epsilon: number | string
  /** The number of parts that each part is divided into; 16 by default. */
  readonly fanOut?: number
  /** Who asks; required where the policy names analysts. */
  readonly as?: string
  /** When aborted before anything is paid for, nothing is, and the release throws `interrupted`. */
  readonly signal?: AbortSignal
}

/** One level, the coarsest first. */
export interface TreeLevel {
  readonly groups: number
  readonly epsilon: number
  /** Where the policy has δ > 0: levels add up in ρ. */
  readonly rho?: number
  /** The noise scale of one group. */
  readonly scale: number
}
interface Common extends TreeShape {
  readonly levels: readonly TreeLevel[]
  readonly cost: Cost
  /** By how much the amount spent rises. */
  readonly raised: Cost
  readonly left: Cost
}
export interface TreePlan extends Common {
  readonly affordable: boolean
}
export interface TreeRelease extends Common {
  readonly spent: Cost
  /** `ledger verify --receipt` shows whether a ledger is a continuation of the one that gave it. */
  readonly receipt: string
}

/** The parsed options. */
interface TreeRequest {
  readonly shape: TreeShape
  readonly epsilon: Rational
}

export const readTree = ({ of, epsilon, fanOut = 16 }: TreeOptions): TreeRequest => ({
  shape: { of, fanOut },
  epsilon: positive(epsilon, 'ε', 'The levels of the tree share it: 0.3, say.'),
})

/** What the tree would cost, without touching the data; throws if a guard would refuse it. */
export function planTree({ shape, epsilon }: TreeRequest, { book, approve, quota }: Session): TreePlan {
  const parts = priceParts({ parts: treeLevels(book.universe, shape) }, epsilon, book)
  checkEpsilon(epsilon, parts, book)
  const charges = parts.map(measurementCharge)
  approve(charges)
  return {
    ...shape,
    levels: parts.map((part) => levelOf(part, book)),
    cost: costOf(parts.map(({ price }) => price).reduce(addSpending, zeroSpending), book),
    ...outlook(charges, book, quota),
  }
}

/** Buys the tree: from now on its answers are part of the history. */
export async function buyTree(request: TreeRequest, session: PaidSession): Promise<TreeRelease> {
  const wish = { queries: treeLevels(session.book.universe, request.shape), seeFree: () => seeFree }
  return sayingWhatWasPaid(session, wish, () => boughtTree(request, session))
}

const seeFree = 'Ask for ranges with --free.'

async function boughtTree({ shape, epsilon }: TreeRequest, { book, meter, quota }: Session): Promise<TreeRelease> {
  const price = (queries: readonly LinearQuery[]) => priceParts({ parts: queries }, epsilon, book)
  checkEpsilon(epsilon, price(treeLevels(book.universe, shape)), book)
  const counter = await meter()
  const receipt = await releaseTree<Receipt>(book.universe, shape, {
    noise: (queries) => price(queries).map(({ law }) => law),
    meter: { measure: (charges) => counter.measure({ charges, analyst: quota, statement: null }) },
  })
  return {
    ...shape,
    levels: price(receipt.measurements.map(({ query }) => query)).map((part) => levelOf(part, book)),
    cost: costOf(receipt.cost, book),
    raised: raisedBy(receipt.before, receipt.after, book),
    spent: costOf(book.spent(), book),
    left: leftFor(book),
    receipt: formatReceipt(receipt.head),
  }
}

const levelOf = (part: PricedPart, book: Book): TreeLevel => ({
  groups: answerSize(part.query, book.universe),
  ...partCost(part.price, book),
  scale: scaleOf(part),
})
