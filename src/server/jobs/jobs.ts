import type { Cost, HistoryEntry } from '../../index.ts'
import { ReticentError } from '../../schema/index.ts'
import type { Grant } from '../access/access.ts'
import { newId } from '../access/token.ts'
import type { Job, JobRequest } from '../api/index.ts'
import type { ServedDataset } from '../datasets/served-dataset.ts'
import { tell } from '../failure.ts'
import { HttpRefusal, notFound } from '../http-refusal.ts'
import { DatasetThread } from '../threads/dataset-thread.ts'
import { hasEnded, heartbeat, JobFolder, jobsFolderOf, type StoredJob } from './job-folder.ts'
import { defaultLimits, type JobLimits, JobSpace } from './limits.ts'

/** How often what a job has written is measured, in milliseconds, and how often old files are looked for. */
const measuring = 1000
const tidying = 3_600_000

interface JobsOptions {
  readonly limits?: JobLimits
  readonly ended?: (job: Job) => void
}

/** The releases and synthetic tables of one data set: one at a time, each in a thread of its own or, with guards, in that of purchases. */
export class Jobs {
  readonly #dataset: ServedDataset
  readonly #folder: JobFolder
  readonly #all = new Map<string, StoredJob>()
  readonly #stops = new Map<string, AbortController>()
  readonly #listeners = new Map<string, Set<(job: Job) => void>>()
  readonly #ended: (job: Job) => void
  readonly #space: JobSpace
  #last: Promise<void> = Promise.resolve()
  #isClosing = false
  /** Tells other servers of this policy that jobs which are under way are this one's. */
  readonly #beat: NodeJS.Timeout
  readonly #tidying: NodeJS.Timeout
  #thread: DatasetThread | undefined

  constructor(dataset: ServedDataset, { limits = defaultLimits, ended = () => {} }: JobsOptions = {}) {
    this.#dataset = dataset
    this.#ended = ended
    this.#folder = new JobFolder(jobsFolderOf(dataset.policy.file))
    this.#space = new JobSpace(this.#folder, limits, this.#all)
    this.#tidying = setInterval(() => this.#tidy(), tidying).unref()
    this.#beat = setInterval(() => {
      for (const job of this.#all.values()) if (!hasEnded(job)) this.#folder.touch(job.id)
    }, heartbeat).unref()
  }

  /** Reads what earlier servers have left; what was under way then has failed, and the ledger says what it spent. */
  async restore(): Promise<void> {
    const history = await this.#dataset.data.history()
    for (const job of this.#folder.read()) {
      this.#all.set(job.id, job)
      if (hasEnded(job)) continue
      const cost = spentSince(job, history)
      const error = {
        code: 'interrupted',
        message: 'the server stopped while this was under way',
        detail:
          cost.epsilon > 0 ? `ε = ${cost.epsilon} is spent; what was recorded is in the history.` : 'Nothing is spent.',
      }
      this.#change({ ...job, state: 'failed', ended: new Date().toISOString(), cost, error })
    }
    this.#tidy()
  }

  /** Throws where one more is too many: before its price is looked at. */
  admit(request: JobRequest, grant: Grant): void {
    if (this.#isClosing) throw new HttpRefusal('stopping', 'the server is stopping')
    this.#space.admit(request, grant)
  }

  start(request: JobRequest, grant: Grant, analyst: string | null): Job {
    this.admit(request, grant)
    const job: StoredJob = {
      id: newId(),
      kind: request.kind,
      options: request.options,
      analyst,
      state: 'waiting',
      share: 0,
      doing: null,
      created: new Date().toISOString(),
      ended: null,
      cost: null,
      tokenId: grant.tokenId,
      process: process.pid,
      since: null,
    }
    this.#folder.write(job)
    this.#stops.set(job.id, new AbortController())
    const shown = this.#change(job)
    this.#last = this.#last.then(() => this.#run(job.id, request, grant))
    return shown
  }

  list(): Job[] {
    return [...this.#all.values()].map((job) => this.#shown(job))
  }
  get(id: string): Job {
    return this.#shown(this.#stored(id))
  }
  folderOf(id: string): string {
    return this.#folder.of(this.#stored(id).id)
  }
  /** Whether it is this token's own. */
  isOf(id: string, { tokenId }: Grant): boolean {
    return this.#stored(id).tokenId === tokenId
  }

  /** Calls whenever the job changes, until it has ended; the result stops that. */
  follow(id: string, listener: (job: Job) => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  cancel(id: string): Job {
    const job = this.#stored(id)
    if (hasEnded(job)) throw new HttpRefusal('conflict', 'this job has ended already')
    this.#stops.get(id)?.abort()
    if (job.state === 'waiting')
      return this.#change({ ...job, state: 'cancelled', ended: new Date().toISOString(), cost: zero })
    return this.#change({ ...job, doing: 'stopping' })
  }
  /** Deletes the files of a job that has ended; what it was and what it spent stays known. */
  deleteFiles(id: string): Job {
    const job = this.#stored(id)
    if (!hasEnded(job)) throw new HttpRefusal('conflict', 'this job has not ended yet', 'Stop it first.')
    this.#folder.clear(id)
    this.#space.changed(id)
    const left = { ...job, deleted: true }
    this.#all.set(id, left)
    this.#write(left)
    return this.#shown(left)
  }
  #tidy(): void {
    for (const { id } of this.#space.outdated()) this.deleteFiles(id)
  }

  /** Those of tokens that were taken away. */
  cancelOf(isRevoked: (tokenId: string | null) => boolean): void {
    for (const job of this.#all.values()) if (!hasEnded(job) && isRevoked(job.tokenId)) this.cancel(job.id)
  }

  /**
   * Stops what is under way, and waits until it has said what it spent. What does not stop before the last call is ended as it is: the
   * ledger knows what it spent, and the next server says so.
   */
  async close(lastCall: AbortSignal): Promise<void> {
    this.#isClosing = true
    lastCall.addEventListener('abort', () => void this.#thread?.close())
    for (const job of this.#all.values()) if (!hasEnded(job) && job.doing !== 'stopping') this.cancel(job.id)
    await this.#last
    clearInterval(this.#beat)
    clearInterval(this.#tidying)
  }

  async #run(id: string, request: JobRequest, grant: Grant): Promise<void> {
    const waiting = this.#all.get(id)!
    if (waiting.state !== 'waiting') return
    const stop = this.#stops.get(id)!
    const { signal } = stop
    let full: HttpRefusal | undefined
    const measure = () => {
      if (full || !this.#space.isFull(grant, id)) return
      full = this.#space.full()
      stop.abort()
    }
    measure()
    const watch = setInterval(measure, measuring).unref()
    const { policy, buying } = this.#dataset
    // Guards look at a purchase beside what a release has shown so far, which is known only where the release is.
    const isGuarded = policy.guards.length > 0
    const thread = isGuarded ? buying : new DatasetThread(policy.file)
    this.#thread = thread
    const receipt = await this.#dataset.data.receipt().catch(() => '0:')
    this.#change({ ...this.#all.get(id)!, state: 'running', since: Number.parseInt(receipt, 10) })
    const progress = (share: number, doing: string | null) => {
      const job = this.#all.get(id)!
      // Ten thousand steps are no news.
      if (share - job.share >= 0.005 || doing !== job.doing)
        this.#change({ ...job, share, doing: job.doing === 'stopping' ? job.doing : doing })
    }
    const ended = () => ({ ...this.#all.get(id)!, ended: new Date().toISOString(), doing: null })
    try {
      const given = { request, folder: this.#folder.of(id) }
      const { cost, summary } = await thread.do('runJob', given, { signal, progress })
      this.#change({ ...ended(), state: 'done', share: 1, cost, summary: summary as StoredJob['summary'] })
    } catch (error) {
      this.#folder.clear(id)
      const isStopped = error instanceof ReticentError && error.code === 'interrupted'
      const state = isStopped && !full ? 'cancelled' : 'failed'
      this.#change({ ...ended(), state, cost: await this.#spentBy(id), error: tell(full ?? error).body.error })
    } finally {
      clearInterval(watch)
      this.#space.changed(id)
      this.#stops.delete(id)
      if (!isGuarded) await thread.close()
    }
  }

  async #spentBy(id: string): Promise<Cost | null> {
    const history = await this.#dataset.data.history().catch(() => undefined)
    return history ? spentSince(this.#all.get(id)!, history) : null
  }

  #stored(id: string): StoredJob {
    const job = this.#all.get(id)
    if (!job) throw notFound('such job')
    return job
  }
  #shown({ tokenId: _, since: __, process: ___, deleted: ____, ...job }: StoredJob): Job {
    return { ...job, files: job.state === 'done' ? this.#folder.files(job.id) : [] }
  }
  /** A state that cannot be written ends no job: a restart takes it for interrupted, and the ledger says what it spent. */
  #write(job: StoredJob): void {
    try {
      this.#folder.write(job)
    } catch {
      // The job goes on.
    }
  }
  #forget(id: string): void {
    this.#all.delete(id)
    this.#folder.forget(id)
  }
  #change(job: StoredJob): Job {
    const before = this.#all.get(job.id)
    this.#all.set(job.id, job)
    // Progress need not survive a restart.
    if (before && before.state !== job.state) this.#write(job)
    const shown = this.#shown(job)
    for (const listener of this.#listeners.get(job.id) ?? []) listener(shown)
    if (hasEnded(job)) {
      this.#listeners.delete(job.id)
      this.#ended(shown)
      for (const { id } of this.#space.forgettable(job.tokenId)) this.#forget(id)
    }
    return shown
  }
}

const zero: Cost = { epsilon: 0, delta: 0 }

/**
 * What the ledger says that a job has spent: releases of its analyst since it began. One job of a data set runs at a time; a release that
 * the same analyst buys elsewhere meanwhile would be counted too.
 */
function spentSince({ since, analyst }: StoredJob, history: readonly HistoryEntry[]): Cost {
  if (since === null) return zero
  const own = history.filter((entry) => entry.number > since && entry.statement === null && entry.analyst === analyst)
  return own.reduce(
    (sum, { cost }) => ({
      epsilon: Number((sum.epsilon + cost.epsilon).toFixed(12)),
      delta: cost.delta,
      ...(cost.rho !== undefined && { rho: (sum.rho ?? 0) + cost.rho }),
    }),
    zero,
  )
}
