import {
  type Cost,
  costOf,
  leftFor,
  leftToAsk,
  type PricedPart,
  priceParts,
  raisedBy,
  scaleOf,
} from '../answer/index.ts'
import type { Rational } from '../numeric/index.ts'
import { answerSize, type LinearQuery } from '../query/index.ts'
import { releaseTree, type TreeShape, treeLevels } from '../release/index.ts'
import { addSpending, fits, measurementCharge, zeroSpending } from '../trusted/accounting/index.ts'
import { type Book, formatReceipt } from '../trusted/ledger/index.ts'
import type { Approve, Meter, Quota, Receipt } from '../trusted/meter/index.ts'
import { sayingWhatWasPaid } from './paid.ts'

/** What a tree is to be over and what all of it costs. */
export interface TreeOptions {
  /** One attribute, or two for a tree over their pairs. */
  readonly of: readonly string[]
  /** Shared equally by the levels. */
  readonly epsilon: number | string
  /** Into how many parts each part is divided: 16 unless said otherwise. */
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
  /** Of the noise of one group. */
  readonly scale: number
}
interface Common extends TreeShape {
  readonly levels: readonly TreeLevel[]
  readonly cost: Cost
  /** By how much the bound on what the dataset has spent rises. */
  readonly raised: Cost
  readonly left: Cost
}
export interface TreePlan extends Common {
  readonly affordable: boolean
}
export interface TreeRelease extends Common {
  readonly spent: Cost
  /** The ledger's head: `ledger verify --receipt` shows whether a ledger is a continuation of the one that gave it. */
  readonly receipt: string
}

/** The options, understood. */
export interface TreeRequest {
  readonly shape: TreeShape
  readonly epsilon: Rational
  readonly quota: Quota | null
}

/** What the tree would cost, without touching the data; throws where a guard would refuse it. */
export function planTree(
  { shape, epsilon, quota }: TreeRequest,
  { book, approve }: { book: Book; approve: Approve },
): TreePlan {
  const parts = priceParts({ parts: treeLevels(book.universe, shape) }, epsilon, book)
  const charges = parts.map(measurementCharge)
  approve(charges)
  const before = book.spent()
  const own = quota && book.spentWith(charges, quota.cap, { analyst: quota.name })
  return {
    ...shape,
    levels: parts.map((part) => levelOf(part, book)),
    cost: costOf(parts.map(({ price }) => price).reduce(addSpending, zeroSpending), book),
    // Worth the work of a bound as close as it gets: as for a cap of 0.
    raised: raisedBy(before, book.spentWith(charges, { epsilon: 0, rho: book.cap.rho && 0 }), book),
    affordable: fits(book.spentWith(charges, book.cap), book.cap) && (!own || fits(own, quota.cap)),
    left: leftToAsk(book, quota),
  }
}

/** Buys the tree: from now on its answers are part of the history. */
export async function buyTree(
  request: TreeRequest,
  { book, meter }: { book: Book; meter: Meter },
): Promise<TreeRelease> {
  const { shape, quota } = request
  const wanted = { queries: treeLevels(book.universe, shape), analyst: quota?.name ?? null, seeFree: () => seeFree }
  return sayingWhatWasPaid(book, wanted, () => boughtTree(request, { book, meter }))
}

const seeFree = 'Ask for ranges with --free.'

async function boughtTree(
  { shape, epsilon, quota }: TreeRequest,
  { book, meter }: { book: Book; meter: Meter },
): Promise<TreeRelease> {
  const price = (queries: readonly LinearQuery[]) => priceParts({ parts: queries }, epsilon, book)
  const receipt = await releaseTree<Receipt>(book.universe, shape, {
    noise: (queries) => price(queries).map(({ law }) => law),
    meter: { measure: (charges) => meter.measure({ charges, analyst: quota, statement: null }) },
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
  epsilon: costOf(part.price, book).epsilon,
  scale: scaleOf(part),
})
