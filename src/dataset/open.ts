import {
  type Answer,
  type Asked,
  ask,
  askRelative,
  askWithin,
  freeAnswer,
  guardsFor,
  type Improved,
  improved,
  Knowledge,
  type Plan,
  parseThreshold,
  plan,
  planRelative,
  planWithin,
  type Relative,
  refusal,
  statementsOf,
  type Within,
} from '../answer/index.ts'
import { type Rational, toNumber } from '../numeric/index.ts'
import { parseSql, type Statement } from '../query/index.ts'
import { loadPolicy, nearest, type Policy, ReticentError, stopIfAborted } from '../schema/index.ts'
import { type Engine, openEngine } from '../trusted/engine/index.ts'
import { Book, checkSeen, headFileOf, keepSeen, type Ledger, openLedger, readSeen } from '../trusted/ledger/index.ts'
import { type Approve, Meter, type Quota, sameEpoch } from '../trusted/meter/index.ts'
import { systemBits } from '../trusted/random/index.ts'
import { type Budget, budgetOf, type HistoryEntry, historyEntry } from './accounts.ts'
import { refuseReviewMarks, requireAgreement } from './agreement.ts'
import { positive, refuseUnknown, usage } from './given.ts'
import { buyMarginals } from './marginals/buy.ts'
import type { MarginalsRelease } from './marginals/made.ts'
import { type MarginalsOptions, readMarginals } from './marginals/options.ts'
import { type MarginalsPlan, planMarginals } from './marginals/plan.ts'
import { buyTree, planTree, type TreeOptions, type TreePlan, type TreeRelease } from './tree.ts'

/** How precise an answer must be, or what it may cost: one of within, relative (with floor), epsilon and free. */
export interface AskOptions {
  /** Half the width of the interval that is wanted, in the data's own units: only what is missing for it is bought. */
  readonly within?: number | string
  /** A precision relative to the exact number, 0.05 for 5%, but never finer than needed for a number of `floor`. */
  readonly relative?: number | string
  readonly floor?: number | string
  /** With within or relative: the most that the question may cost. */
  readonly maxEpsilon?: number | string
  /** What the whole statement costs. 0.1 means one tenth exactly, as a number or as text. */
  readonly epsilon?: number | string
  /** From what has been released already, at no cost. */
  readonly free?: boolean
  /** That an interval holds the exact number: 0.95 unless said otherwise. */
  readonly confidence?: number
  /** That all intervals of a GROUP BY hold at once, not each by itself. */
  readonly allWithin?: boolean
  /** How likely is this? "> 1000", or with >=, < or <=. Alone it asks of what has been released already. */
  readonly probability?: string
  /** Say which measurements the answer was made of. */
  readonly explain?: boolean
  /** So many columns of a picture of where the number lies. */
  readonly density?: number
  /** Who asks; required where the policy names analysts. */
  readonly as?: string
  /** When aborted before anything is paid for, nothing is, and the question throws `interrupted`. */
  readonly signal?: AbortSignal
}

/** A statement that was paid for, answered anew by all that was released. */
export interface Improvement extends Improved {
  readonly number: number
  readonly statement: string
}

/** A private table, opened. */
export interface Dataset {
  readonly policy: Policy
  ask(sql: string, options: AskOptions): Promise<Answer>
  /** What the question would cost and how precise it would be, without touching the data. */
  plan(sql: string, options: AskOptions): Promise<Plan>
  /** Buys counts of ever finer ranges of an attribute, so that later ranges of it are free. */
  releaseTree(options: TreeOptions): Promise<TreeRelease>
  /** What the tree would cost, without touching the data. */
  planTree(options: TreeOptions): Promise<TreePlan>
  /** Buys contingency tables whose small counts survive, and makes them agree with each other. */
  releaseMarginals(options: MarginalsOptions): Promise<MarginalsRelease>
  /** What the marginals would cost and how far off they would be, without buying anything. */
  planMarginals(options: MarginalsOptions): Promise<MarginalsPlan>
  budget(): Promise<Budget>
  history(): Promise<HistoryEntry[]>
  /** For every statement that was paid for: what it said then, and what the history says about it now, at no cost. */
  improve(): Promise<Improvement[]>
  close(): Promise<void>
}

/** Opens the private table that a policy file describes. Its ledger must exist: `reticent ledger create` makes one. */
export async function open(policyFile: string): Promise<Dataset> {
  const policy = await loadPolicy(policyFile)
  refuseReviewMarks(policy)
  const ledger = await openLedger(policy.ledger)
  try {
    await checkSeen(ledger, readSeen(headFileOf(policy.file)))
    const book = await Book.open(ledger, policy.privacy.composition)
    requireAgreement(policy, book)
    return dataset(policy, ledger, book, await guardsFor(policy, book, uniform))
  } catch (error) {
    await ledger.close()
    throw error
  }
}

/** Below 1, for proofs about public numbers. */
const uniform = () => systemBits.uint32() / 2 ** 32

function dataset(policy: Policy, ledger: Ledger, book: Book, approve: Approve): Dataset {
  // The policy is this epoch's. When the owner begins another, this dataset is about something that is no more.
  const epoch = book.epochs
  const follow = async () => {
    await book.follow()
    sameEpoch({ book, epoch })
  }
  let closed = false
  // The data are opened when the first question needs them: budgets and histories do not.
  let engine: Promise<Engine> | undefined
  const meter = async () => {
    engine ??= ledger.secret().then((key) => openEngine({ ...policy, unit: policy.privacy.unit, key }))
    return new Meter({ ledger, book, engine: await engine, approve, epoch })
  }
  const knowledge = new Knowledge(book, uniform)
  const understand = async (sql: string, options: AskOptions) => {
    if (typeof sql !== 'string') throw usage('a question is an SQL text')
    if (closed) throw usage('the dataset is closed')
    const wanted = requirementOf(options)
    const quota = quotaOf(policy, options.as, book)
    const statement = await parseSql(sql, { dataset: policy.dataset, universe: policy.universe })
    await follow()
    return { statement, wanted, asking: { book, knowledge, quota, approve } }
  }
  const treeOf = async ({ of, epsilon, fanOut = 16, as }: TreeOptions) => {
    const price = positive(epsilon, 'ε', 'The levels of the tree share it: 0.3, say.')
    const request = { shape: { of, fanOut }, epsilon: price, quota: quotaOf(policy, as, book) }
    await follow()
    return request
  }
  const marginalsOf = async (options: MarginalsOptions) => {
    const choice = readMarginals(options, policy.universe)
    const quota = quotaOf(policy, options.as, book)
    await follow()
    return { choice, making: { book, knowledge, quota, random: uniform, meter, approve } }
  }
  /** Remembers how far the ledger has come, also where something was paid for and then failed: one put back is noticed. */
  const remembered = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } finally {
      await book.follow().catch(() => {})
      await keepSeen(headFileOf(policy.file), ledger, book)
    }
  }
  return {
    policy,
    async ask(sql, options) {
      const { statement, wanted, asking } = await understand(sql, options)
      return remembered(async () => {
        if (wanted.kind === 'free') return freeAnswer(statement, wanted, asking) ?? untold()
        const counter = await meter()
        stopIfAborted(options.signal)
        return wanted.kind === 'epsilon'
          ? ask(statement, wanted, { ...asking, meter: counter })
          : precisely(wanted, statement, { ...asking, meter: counter }).catch((error) => {
              if (!(error instanceof ReticentError) || error.code !== 'budget-exceeded') throw error
              throw refusal(error, statement, wanted, asking)
            })
      })
    },
    async plan(sql, options) {
      const { statement, wanted, asking } = await understand(sql, options)
      if (wanted.kind === 'free') throw usage('a free answer needs no plan')
      if (wanted.kind === 'epsilon') return plan(statement, wanted, asking)
      return wanted.kind === 'within' ? planWithin(statement, wanted, asking) : planRelative(statement, wanted, asking)
    },
    async releaseTree(options) {
      const request = await treeOf(options)
      return remembered(async () => {
        const counter = await meter()
        stopIfAborted(options.signal)
        return buyTree(request, { book, meter: counter })
      })
    },
    async planTree(options) {
      return planTree(await treeOf(options), { book, approve })
    },
    async releaseMarginals(options) {
      const { choice, making } = await marginalsOf(options)
      const { progress, signal } = options
      return remembered(() => buyMarginals(choice, { ...making, progress, signal }))
    },
    async planMarginals(options) {
      const { choice, making } = await marginalsOf(options)
      return planMarginals(choice, making)
    },
    async budget() {
      await follow()
      return budgetOf(policy, book)
    },
    async history() {
      await follow()
      return book.releases.map((release) => historyEntry(release, book))
    },
    async improve() {
      await follow()
      const all: Improvement[] = []
      for (const release of statementsOf(book)) {
        const statement = await parseSql(release.statement, { dataset: policy.dataset, universe: policy.universe })
        const found = improved(statement, release, { confidence: 0.95 }, { book, knowledge, quota: null })
        if (found) all.push({ number: release.seq, statement: release.statement, ...found })
      }
      return all
    },
    async close() {
      closed = true
      await (await engine)?.close()
      await ledger.close()
    },
  }
}

function quotaOf({ privacy: { analysts } }: Policy, name: string | undefined, book: Book): Quota | null {
  if (!analysts && name === undefined) return null
  const hint = analysts ? `The policy names ${[...analysts.keys()].join(', ')}.` : 'Leave out --as.'
  if (name === undefined) throw new ReticentError('analyst-required', {}, { message: 'say who asks: --as NAME', hint })
  const cap = analysts?.get(name)
  if (cap) return { name, cap: book.capOf(cap) }
  const meant = nearest(name, analysts?.keys() ?? [])
  throw new ReticentError(
    'analyst-unknown',
    { name },
    {
      message: `the policy names no analyst ${JSON.stringify(name)}${meant ? `; did you mean ${meant}?` : ''}`,
      hint,
    },
  )
}

type Wanted = Asked &
  (
    | { readonly kind: 'free' }
    | { readonly kind: 'epsilon'; readonly epsilon: Rational }
    | ({ readonly kind: 'within' } & Within)
    | ({ readonly kind: 'relative' } & Relative)
  )

const precisely = (
  wanted: Extract<Wanted, { kind: 'within' | 'relative' }>,
  statement: Statement,
  asking: Parameters<typeof askWithin>[2],
) => (wanted.kind === 'within' ? askWithin(statement, wanted, asking) : askRelative(statement, wanted, asking))

const optionNames: { readonly [K in keyof Required<AskOptions>]: true } = {
  within: true,
  relative: true,
  floor: true,
  epsilon: true,
  maxEpsilon: true,
  free: true,
  confidence: true,
  allWithin: true,
  probability: true,
  explain: true,
  density: true,
  as: true,
  signal: true,
}

function requirementOf(options: AskOptions): Wanted {
  refuseUnknown(options, optionNames)
  const { within, relative, floor, epsilon, free, probability, allWithin, explain, confidence = 0.95 } = options
  if (!(confidence > 0 && confidence < 1)) throw usage('confidence must lie between 0 and 1', '0.95 is usual.')
  const threshold = probability === undefined ? undefined : parseThreshold(probability)
  const asked: Asked = { confidence, probability: threshold, allWithin, explain, density: options.density }
  const ways = [within !== undefined, relative !== undefined, epsilon !== undefined, free === true]
  const given = ways.filter(Boolean).length
  if (relative !== undefined && floor === undefined)
    throw usage('relative and floor go together', 'Say --relative 0.05 --floor 500: within 5%, and ±25 below 500.')
  if (floor !== undefined && relative === undefined && within === undefined)
    throw usage('floor goes with relative or within', 'Say how precise the answer must be: --within 100.')
  if (options.maxEpsilon !== undefined && within === undefined && relative === undefined)
    throw usage('max-epsilon goes with within or relative', 'Say how precise the answer must be: --within 100.')
  if (given === 0 && threshold) return { ...asked, kind: 'free' }
  if (given !== 1) {
    throw usage(
      given === 0
        ? 'say how precise the answer must be, or what it may cost'
        : 'say only one of within, relative, epsilon and free',
      'within: half the width of the interval (--within 100); epsilon: the price (--epsilon 0.05); free: what the history tells (--free).',
    )
  }
  if (free === true) return { ...asked, kind: 'free' }
  const most =
    options.maxEpsilon === undefined ? undefined : positive(options.maxEpsilon, 'max-epsilon', '0.1 allows a tenth.')
  const maxEpsilon = most && toNumber(most)
  if (within !== undefined) {
    const width = positive(within, 'the half-width', 'Ask for --within 100, say: the answer will be within ±100.')
    const least = floor === undefined ? undefined : positive(floor, 'the floor', 'A number of records: 100, say.')
    return { ...asked, kind: 'within', within: toNumber(width), floor: least && toNumber(least), maxEpsilon }
  }
  if (relative !== undefined) {
    const share = positive(relative, 'the relative precision', '0.05 means within 5%.')
    const least = positive(floor!, 'the floor', 'Numbers below it are told as precisely as the floor would be.')
    return { ...asked, kind: 'relative', relative: toNumber(share), floor: toNumber(least), maxEpsilon }
  }
  const price = positive(epsilon!, 'ε', 'Small is private, large is precise: 0.01 to 1 are usual.')
  return { ...asked, kind: 'epsilon', epsilon: price }
}

function untold(): never {
  throw new ReticentError(
    'not-estimable',
    {},
    {
      message: 'what has been released so far does not tell this',
      hint: 'Buy it: --within W for a precision, or --epsilon E for a price.',
    },
  )
}
