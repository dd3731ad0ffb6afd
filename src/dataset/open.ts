import { type Answer, ask, askFree, guardsFor, type Plan, plan, putUpGuards } from '../answer/index.ts'
import { parseSql } from '../query/index.ts'
import { loadPolicy, type Policy, usage } from '../schema/index.ts'
import { Book, checkSeen, formatReceipt, headFileOf, openLedger, readSeen } from '../trusted/ledger/index.ts'
import { type Budget, budgetOf, type HistoryEntry, historyOf } from './accounts.ts'
import { refuseReviewMarks, requireAgreement } from './agreement.ts'
import { type AskOptions, requirementOf } from './ask-options.ts'
import type { Dataset, Improvement, ImproveOptions } from './dataset.ts'
import { askHistoryModel } from './history/ask-history.ts'
import { improvements } from './history/improve.ts'
import type { ModelAnswer } from './history/model-answer.ts'
import { HistoryModels, type ModelOptions } from './history/models.ts'
import { type MarginalsOptions, readMarginals } from './marginals/options.ts'
import { type MarginalsPlan, planMarginals } from './marginals/plan.ts'
import { releaseMarginals } from './marginals/release.ts'
import type { MarginalsRelease } from './marginals/tables.ts'
import { sayingWhatWasPaid } from './paid.ts'
import { Sessions, uniform } from './sessions.ts'
import { type AttributeSpending, spendingByAttribute } from './spending.ts'
import { type FreeSynthOptions, type FreeSynthPlan, planFreeSynthesis, synthesizeFree } from './synth/free.ts'
import { readSynthesis, type SynthOptions } from './synth/options.ts'
import { planSynthesis, type SynthesisPlan } from './synth/plan.ts'
import { type SynthRelease, synthesize } from './synth/synthesize.ts'
import { buyTree, planTree, readTree, type TreeOptions, type TreePlan, type TreeRelease } from './tree.ts'

export interface OpenOptions {
  /**
   * For a process that will be asked many questions: all data are encoded right away, so that no later purchase parses
   * them again. By default, an attribute is encoded when it is asked about a second time.
   */
  readonly warm?: boolean
}

/** Opens the private table that a policy file describes. Its ledger must exist: `reticent ledger create` makes one. */
export async function open(policyFile: string, { warm }: OpenOptions = {}): Promise<Dataset> {
  const policy = await loadPolicy(policyFile)
  refuseReviewMarks(policy)
  const ledger = await openLedger(policy.ledger)
  try {
    await checkSeen(ledger, readSeen(headFileOf(policy.file)))
    const book = await Book.open(ledger, policy.privacy.composition)
    requireAgreement(policy, book)
    const approve = await guardsFor(policy, book, uniform)
    await putUpGuards(policy, { book, ledger })
    return new OpenDataset(new Sessions({ policy, ledger, book, approve, warm }))
  } catch (error) {
    await ledger.close()
    throw error
  }
}

class OpenDataset implements Dataset {
  readonly policy: Policy
  readonly #sessions: Sessions
  readonly #models = new HistoryModels()

  constructor(sessions: Sessions) {
    this.policy = sessions.policy
    this.#sessions = sessions
  }

  async ask(sql: string, options: AskOptions): Promise<Answer> {
    const { statement, wanted, session } = await this.#question(sql, options)
    const wish = { queries: statement.parts, seeFree: () => seeFree }
    return this.#sessions.remembered(session, () =>
      sayingWhatWasPaid(session, wish, () => ask(statement, wanted, session)),
    )
  }
  async askFree(sql: string, options: AskOptions, receipt?: string): Promise<Answer | undefined> {
    const { statement, wanted, session } = await this.#question(sql, options, receipt)
    await this.#sessions.rememberHead()
    return askFree(statement, wanted, session)
  }
  async plan(sql: string, options: AskOptions): Promise<Plan> {
    const { statement, wanted, session } = await this.#question(sql, options)
    if (wanted.kind === 'free') throw usage('a free answer needs no plan')
    return plan(statement, wanted, session)
  }
  async askModel(sql: string, options: ModelOptions): Promise<ModelAnswer> {
    if (typeof sql !== 'string') throw usage('a question is an SQL text')
    const statement = await this.#read(sql)
    await this.#sessions.follow()
    const { book, knowledge } = this.#sessions
    const answer = askHistoryModel(statement, await this.#models.fitted(options, book))
    const determined = statement.parts.every((query) => knowledge.about(query) !== undefined)
    return { ...answer, determined }
  }
  async #question(sql: string, options: AskOptions, receipt?: string) {
    if (typeof sql !== 'string') throw usage('a question is an SQL text')
    const wanted = requirementOf(options)
    const statement = await this.#read(sql)
    return { statement, wanted, session: await this.#sessions.begin(options, receipt) }
  }
  async #read(sql: string) {
    const { dataset, universe, privacy } = this.policy
    const statement = await parseSql(sql, { dataset, universe })
    const { unit } = privacy
    if (unit.kind === 'row') return statement
    const counted = `at most ${unit.rows} ${unit.rows === 1 ? 'row' : 'rows'} of one ${unit.column} count; others are left out`
    return { ...statement, notes: [...(statement.notes ?? []), counted] }
  }

  async releaseTree(options: TreeOptions): Promise<TreeRelease> {
    const request = readTree(options)
    const session = await this.#sessions.begin(options)
    return this.#sessions.remembered(session, () => buyTree(request, session))
  }
  async planTree(options: TreeOptions): Promise<TreePlan> {
    return planTree(readTree(options), await this.#sessions.begin(options))
  }

  async releaseMarginals(options: MarginalsOptions): Promise<MarginalsRelease> {
    const session = await this.#sessions.begin(options)
    const request = readMarginals(options, session.book)
    return this.#sessions.remembered(session, () => releaseMarginals(request, session))
  }
  async planMarginals(options: MarginalsOptions): Promise<MarginalsPlan> {
    const session = await this.#sessions.begin(options)
    return planMarginals(readMarginals(options, session.book), session)
  }

  async synthesize(options: SynthOptions): Promise<SynthRelease> {
    const asked = readSynthesis(options, this.policy)
    const session = await this.#sessions.begin({ as: options.as, signal: options.signal })
    return this.#sessions.remembered(session, () => synthesize(asked, session))
  }
  async planSynthesis(options: SynthOptions): Promise<SynthesisPlan> {
    const asked = readSynthesis(options, this.policy)
    return planSynthesis(asked, await this.#sessions.begin({ as: options.as, signal: options.signal }))
  }

  async synthesizeFree(options: FreeSynthOptions): Promise<SynthRelease> {
    await this.#sessions.follow()
    return synthesizeFree(options, this.#sessions.book, uniform)
  }
  async planFreeSynthesis(options: FreeSynthOptions): Promise<FreeSynthPlan> {
    await this.#sessions.follow()
    return planFreeSynthesis(options, this.#sessions.book)
  }

  async budget(): Promise<Budget> {
    await this.#sessions.follow()
    return budgetOf(this.policy, this.#sessions.book)
  }
  async receipt(): Promise<string> {
    await this.#sessions.follow()
    return formatReceipt(this.#sessions.book.head)
  }
  async spendingByAttribute(): Promise<AttributeSpending[]> {
    await this.#sessions.follow()
    return spendingByAttribute(this.#sessions.book)
  }
  async history(): Promise<HistoryEntry[]> {
    await this.#sessions.follow()
    const { book } = this.#sessions
    return historyOf(book)
  }
  async improve({ model, number, ...options }: ImproveOptions = {}): Promise<Improvement[]> {
    await this.#sessions.follow()
    const { book } = this.#sessions
    const fitted = model === undefined ? undefined : () => this.#models.fitted({ model, ...options }, book)
    return improvements(this.#sessions, (sql) => this.#read(sql), { model: fitted, number, signal: options.signal })
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }
}

const seeFree =
  'To see the answer at no cost, ask the same question with --free. The purchase is in `reticent history`.'
