import {
  type Answer,
  ask,
  guardsFor,
  type Improved,
  improved,
  Knowledge,
  type Plan,
  plan,
  statementsOf,
} from '../answer/index.ts'
import { parseSql } from '../query/index.ts'
import { loadPolicy, type Policy, stopIfAborted, usage } from '../schema/index.ts'
import { type Engine, openEngine } from '../trusted/engine/index.ts'
import { Book, checkSeen, headFileOf, keepSeen, type Ledger, openLedger, readSeen } from '../trusted/ledger/index.ts'
import { type Approve, Meter, sameEpoch } from '../trusted/meter/index.ts'
import { systemBits } from '../trusted/random/index.ts'
import { type Budget, budgetOf, type HistoryEntry, historyEntry } from './accounts.ts'
import { refuseReviewMarks, requireAgreement } from './agreement.ts'
import { type AskOptions, requirementOf } from './ask-options.ts'
import { type MarginalsOptions, readMarginals } from './marginals/options.ts'
import { type MarginalsPlan, planMarginals } from './marginals/plan.ts'
import { releaseMarginals } from './marginals/release.ts'
import type { MarginalsRelease } from './marginals/tables.ts'

import { type PaidSession, sayingWhatWasPaid } from './paid.ts'
import { quotaOf } from './quota.ts'
import { buyTree, planTree, readTree, type TreeOptions, type TreePlan, type TreeRelease } from './tree.ts'

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

/** What questions and releases have in common: who asks, and how to follow and stop the work. */
type Common = Pick<MarginalsOptions, 'as' | 'progress' | 'signal'>

/** Below 1, for proofs about public numbers. */
const uniform = () => systemBits.uint32() / 2 ** 32

function dataset(policy: Policy, ledger: Ledger, book: Book, approve: Approve): Dataset {
  // The policy is this epoch's. When the owner begins another, this dataset is about something that is no more.
  const epoch = book.epochs
  let closed = false
  // The data are opened when the first purchase needs them: free answers, budgets and histories do not.
  let engine: Promise<Engine> | undefined
  const knowledge = new Knowledge(book, uniform)
  const follow = async () => {
    if (closed) throw usage('the dataset is closed')
    await book.follow()
    sameEpoch({ book, epoch })
  }
  /** One question or release on behalf of whoever asks; the ledger is followed here, once. */
  const session = async ({ as, progress, signal }: Common): Promise<PaidSession> => {
    await follow()
    const reservations: number[] = []
    const meter = async () => {
      engine ??= ledger.secret().then((key) => openEngine({ ...policy, unit: policy.privacy.unit, key }))
      const parts = { ledger, book, engine: await engine, approve, epoch }
      stopIfAborted(signal)
      return new Meter({ ...parts, onCharge: (reservation) => reservations.push(reservation) })
    }
    const quota = quotaOf(policy, as, book)
    return { book, knowledge, quota, approve, meter, random: uniform, progress, signal, reservations }
  }
  const read = (sql: string) => parseSql(sql, { dataset: policy.dataset, universe: policy.universe })
  const question = async (sql: string, options: AskOptions) => {
    if (typeof sql !== 'string') throw usage('a question is an SQL text')
    const wanted = requirementOf(options)
    const statement = await read(sql)
    return { statement, wanted, asking: await session(options) }
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
      const { statement, wanted, asking } = await question(sql, options)
      const wish = { queries: statement.parts, seeFree: () => seeFree }
      return remembered(() => sayingWhatWasPaid(asking, wish, () => ask(statement, wanted, asking)))
    },
    async plan(sql, options) {
      const { statement, wanted, asking } = await question(sql, options)
      if (wanted.kind === 'free') throw usage('a free answer needs no plan')
      return plan(statement, wanted, asking)
    },
    async releaseTree(options) {
      const request = readTree(options)
      const selling = await session(options)
      return remembered(() => buyTree(request, selling))
    },
    async planTree(options) {
      return planTree(readTree(options), await session(options))
    },
    async releaseMarginals(options) {
      const request = readMarginals(options, policy.universe)
      const selling = await session(options)
      return remembered(() => releaseMarginals(request, selling))
    },
    async planMarginals(options) {
      return planMarginals(readMarginals(options, policy.universe), await session(options))
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
        const statement = await read(release.statement)
        const found = improved(statement, release, { confidence: 0.95 }, { book, knowledge })
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

const seeFree = 'See the answer at no cost: ask the same with --free. What was bought is in `reticent history`.'
