import type { Answer, Improved, Plan } from '../answer/index.ts'
import type { Policy } from '../schema/index.ts'
import type { Budget, HistoryEntry } from './accounts.ts'
import type { AskOptions } from './ask-options.ts'
import type { MarginalsOptions } from './marginals/options.ts'
import type { MarginalsPlan } from './marginals/plan.ts'
import type { MarginalsRelease } from './marginals/tables.ts'
import type { TreeOptions, TreePlan, TreeRelease } from './tree.ts'

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
