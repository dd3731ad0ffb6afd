import type { Answer, Improved, Plan } from '../answer/index.ts'
import type { Policy } from '../schema/index.ts'
import type { Budget, HistoryEntry } from './accounts.ts'
import type { AskOptions } from './ask-options.ts'
import type { ModelAnswer, ModelColumn } from './history/model-answer.ts'
import type { ModelOptions } from './history/models.ts'
import type { MarginalsOptions } from './marginals/options.ts'
import type { MarginalsPlan } from './marginals/plan.ts'
import type { MarginalsRelease } from './marginals/tables.ts'
import type { AttributeSpending } from './spending.ts'
import type { FreeSynthOptions, FreeSynthPlan } from './synth/free.ts'
import type { SynthOptions } from './synth/options.ts'
import type { SynthesisPlan } from './synth/plan.ts'
import type { SynthRelease } from './synth/synthesize.ts'
import type { TreeOptions, TreePlan, TreeRelease } from './tree.ts'

/** A statement that was paid for: what its own purchases say, and what everything released says about it. */
export interface Improvement extends Improved {
  readonly number: number
  readonly statement: string
  /** Estimates of a model fitted to everything released, without intervals; present if a model was named. */
  readonly byModel?: readonly ModelColumn[]
  /** What that model assumed and chose, and what the reader must know about it. */
  readonly fit?: Pick<ModelAnswer, 'parameters' | 'warnings'>
}

/** Which purchase (default: all), and which model of the history to compare with, if any. */
export interface ImproveOptions extends Partial<ModelOptions> {
  readonly number?: number
}

/** A private table, opened. */
export interface Dataset {
  readonly policy: Policy
  ask(sql: string, options: AskOptions): Promise<Answer>
  /**
   * The same answer if it costs nothing, and undefined if something would have to be bought. With a receipt, the ledger
   * is not read again if it has been read up to there.
   */
  askFree(sql: string, options: AskOptions, receipt?: string): Promise<Answer | undefined>
  /** What the question would cost and how precise it would be, without touching the data. */
  plan(sql: string, options: AskOptions): Promise<Plan>
  /** The estimate of a model fitted to all released answers: free, and without an interval. */
  askModel(sql: string, options: ModelOptions): Promise<ModelAnswer>
  /** Buys counts of ever finer ranges of an attribute, so that later ranges of it are free. */
  releaseTree(options: TreeOptions): Promise<TreeRelease>
  /** What the tree would cost, without touching the data. */
  planTree(options: TreeOptions): Promise<TreePlan>
  /** Buys contingency tables whose small counts have small relative errors, and makes them agree with each other. */
  releaseMarginals(options: MarginalsOptions): Promise<MarginalsRelease>
  /** What the marginals would cost and how large their error would be, without buying anything. */
  planMarginals(options: MarginalsOptions): Promise<MarginalsPlan>
  /** Buys noisy answers, fits a model of the whole table to them, and draws a synthetic table from it. */
  synthesize(options: SynthOptions): Promise<SynthRelease>
  /** What a synthetic table would cost and how much noise it would have, without buying anything. */
  planSynthesis(options: SynthOptions): Promise<SynthesisPlan>
  /** A synthetic table from released answers alone, at no cost: the data are not opened. */
  synthesizeFree(options: FreeSynthOptions): Promise<SynthRelease>
  /** What such a table would be made from; fits nothing. */
  planFreeSynthesis(options: FreeSynthOptions): Promise<FreeSynthPlan>
  budget(): Promise<Budget>
  /** The receipt of the ledger's last row: if it is unchanged, nothing was bought since. */
  receipt(): Promise<string>
  /** For each attribute, the share that answers involving it have in the cost of the most expensive record. */
  spendingByAttribute(): Promise<AttributeSpending[]>
  history(): Promise<HistoryEntry[]>
  /** For every statement that was paid for: what its purchases say by themselves, and what the history says about it now. Free. */
  improve(options?: ImproveOptions): Promise<Improvement[]>
  close(): Promise<void>
}
