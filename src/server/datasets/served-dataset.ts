import { availableParallelism } from 'node:os'
import { type Answer, type AskOptions, type Budget, type Dataset, open, type Plan } from '../../index.ts'
import { problem } from '../../schema/index.ts'
import type { AskRequest, AskResponse, BudgetResponse, Curve, CurveRequest, PlanRequest } from '../api/index.ts'
import { DatasetThread } from '../threads/dataset-thread.ts'
import { FairLine } from '../threads/fair-line.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import { AnswerCache } from './answer-cache.ts'
import { rehearsalFor } from './rehearsal.ts'
import { SharedRead } from './shared-read.ts'

/** So many threads answer what is free, where there are as many cores. */
const mostAnswering = 4
/** So many purchases are under way at once: one is priced while another waits for the disk. */
const mostBuying = 4

/** Who asks: callers take turns. The signal says that nobody waits for the answer any more. */
interface Asking {
  readonly caller: string
  readonly signal: AbortSignal
}

/**
 * One data set of the server: opened once, and kept warm. This thread answers requests and does no sums: what is free is answered in a pool of
 * threads, what may take long in another one, and purchases in one that has the data. There all who buy have one book, so that
 * those who ask the same at once take turns.
 */
export class ServedDataset {
  readonly name: string
  /** For what the ledger says. */
  readonly data: Dataset
  /** For what may take long. */
  readonly thread: DatasetThread
  /** For purchases: it has the data. */
  readonly buying: DatasetThread
  readonly #buyers = new FairLine(() => mostBuying)
  readonly #answering: ThreadPool
  readonly #cache = new AnswerCache()
  readonly #underWay = new Map<string, Promise<Answer | undefined>>()
  readonly #head: SharedRead<string>

  private constructor(data: Dataset) {
    const { file, dataset } = data.policy
    this.name = dataset
    this.data = data
    this.#head = new SharedRead(() => data.receipt())
    this.thread = new DatasetThread(file)
    this.buying = new DatasetThread(file, { warm: true, patience: 10_000 })
    const most = Math.max(2, Math.min(mostAnswering, availableParallelism()))
    this.#answering = new ThreadPool(file, most, (thread) => this.#rehearse(thread))
  }
  static async open(policyFile: string): Promise<ServedDataset> {
    return new ServedDataset(await open(policyFile))
  }

  get policy(): Dataset['policy'] {
    return this.data.policy
  }

  async ask({ sql, model, ...asked }: AskRequest, { signal, caller }: Asking): Promise<AskResponse> {
    if (model !== undefined) return this.thread.do('askModel', { sql, model }, { signal })
    const question = { ...(asked as AskOptions), sql }
    // A price is always paid. Whether a precision costs anything is found out where nobody's purchase is in the way.
    const free = asked.epsilon === undefined ? await this.#askFree(question, caller) : undefined
    // What is bought is kept nowhere: asked again, it is in the history. Whether it must be is decided again there.
    return free ?? this.#buyers.do(caller, () => this.buying.do('ask', question, { signal }))
  }

  /** Many who ask the same at the same time wait for one answer; it is made even if one of them goes away. */
  async #askFree(question: AskOptions & { readonly sql: string }, caller: string): Promise<Answer | undefined> {
    const receipt = await this.#head.read()
    const key = keyOf('ask', question, receipt)
    const known = this.#cache.get<Answer>(key) ?? this.#underWay.get(key)
    if (known) return known
    const made = this.#answering.do(caller, 'askFree', { ...question, receipt })
    this.#underWay.set(key, made)
    try {
      const answer = await made
      if (answer?.receipt === receipt) this.#cache.put(key, answer)
      return answer
    } finally {
      this.#underWay.delete(key)
    }
  }

  /** Opens everything and reads the history, before somebody waits for it. */
  warm(): void {
    const asked = { sql: rehearsalFor(this.policy)[0]!, free: true }
    const works = [this.#answering.warm(), this.buying.do('ask', asked), this.thread.do('ask', asked)]
    // Where nothing is known yet there is nothing to read.
    for (const work of works) work.catch(() => {})
  }
  /** One question after the other: whoever asks meanwhile comes next. Where not even the number of records is known, there is nothing to rehearse. */
  async #rehearse(thread: DatasetThread): Promise<void> {
    const [all, ...others] = rehearsalFor(this.policy)
    await thread.do('askFree', { sql: all!, free: true })
    for (const sql of others) await thread.do('askFree', { sql, free: true }).catch(() => {})
  }

  async plan(request: PlanRequest, { signal, caller }: Asking): Promise<Plan> {
    const key = keyOf('plan', request, await this.#head.read())
    const known = this.#cache.get<Plan>(key)
    if (known) return known
    const plan = await this.#answering.do(caller, 'plan', request as AskOptions & PlanRequest, { signal })
    this.#cache.put(key, plan)
    return plan
  }

  async curve(request: CurveRequest, signal: AbortSignal): Promise<Curve> {
    const key = keyOf('curve', request, await this.#head.read())
    const known = this.#cache.get<Curve>(key)
    if (known) return known
    const curve = await this.thread.do('curve', request, { signal })
    this.#cache.put(key, curve)
    return curve
  }

  /** What is spent and left; with a name, of the quotas only that one's. */
  async budget(analyst?: string): Promise<BudgetResponse> {
    const [budget, history, attributes] = await Promise.all([
      this.data.budget(),
      this.data.history(),
      this.thread.do('spendingByAttribute', null),
    ])
    return {
      budget: quotasFor(budget, analyst),
      steps: history.map(({ number, at, analyst, cost }) => ({ number, at, analyst, cost })),
      attributes,
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.thread.close(), this.buying.close(), this.#answering.close()])
    await this.data.close()
  }
}

/** What is asked, on whose behalf (`as`), and how far the ledger had come: where all are the same, so is what is said. */
function keyOf(kind: string, asked: object, receipt: string): string {
  const sorted = Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([kind, receipt, sorted])
}

/** With a name, of the quotas only that one's. */
const quotasFor = (budget: Budget, analyst: string | undefined): Budget =>
  analyst === undefined ? budget : { ...budget, analysts: budget.analysts.filter(({ name }) => name === analyst) }

/** Two data sets of one name could not be told apart in an address. */
export async function openAll(policyFiles: readonly string[]): Promise<ServedDataset[]> {
  const opened: ServedDataset[] = []
  try {
    for (const file of policyFiles) {
      const next = await ServedDataset.open(file)
      opened.push(next)
      if (opened.some((other) => other !== next && other.name === next.name))
        throw problem('usage', `two policies have a data set called ${next.name}`)
    }
    return opened
  } catch (error) {
    await Promise.all(opened.map((each) => each.close()))
    throw error
  }
}
