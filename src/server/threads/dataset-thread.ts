import { Worker } from 'node:worker_threads'
import { problem } from '../../schema/index.ts'
import { type Opened, type Order, type Report, restored } from './protocol.ts'
import type { Work, WorkName } from './work.ts'

/** Beside this file in the sources; in the bundle beside the other programs. */
const entry = import.meta.url.endsWith('.ts')
  ? new URL('./thread.ts', import.meta.url)
  : new URL('../server/thread.js', import.meta.url)

/** What a thread is for. */
interface ThreadOptions {
  /** Whether it makes the data ready for many purchases right away. */
  readonly warm?: boolean
  /** Milliseconds that it has to end by itself. */
  readonly patience?: number
}

/** How work is followed and stopped. */
export interface Following {
  readonly signal?: AbortSignal
  readonly progress?: (share: number, doing: string | null) => void
}

interface Pending extends Following {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** A thread of its own for what may take long with one data set. It starts when it is needed, and again if it should die. */
export class DatasetThread {
  readonly #opened: Opened
  readonly #patience: number
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | undefined
  #last = 0
  #isClosed = false

  constructor(policyFile: string, { warm = false, patience = 2000 }: ThreadOptions = {}) {
    this.#opened = { policyFile, warm }
    this.#patience = patience
  }

  /** How much it has to do. */
  get pending(): number {
    return this.#pending.size
  }

  /** Does work there; its errors are thrown here. */
  do<N extends WorkName>(name: N, given: Parameters<Work[N]>[0], following: Following = {}): ReturnType<Work[N]> {
    // It would start again, and the process would not end.
    if (this.#isClosed) return Promise.reject(ended()) as ReturnType<Work[N]>
    const id = ++this.#last
    const { signal } = following
    const stop = () => this.#worker?.postMessage({ stop: id } satisfies Order)
    const done = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { ...following, resolve, reject })
      this.#start().postMessage({ id, name, given } satisfies Order)
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop)
    })
    return done.finally(() => signal?.removeEventListener('abort', stop)) as ReturnType<Work[N]>
  }

  /** Lets it clean up after itself; one that does not listen is ended as it is. */
  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage({ end: true } satisfies Order)
    const late = setTimeout(() => void worker.terminate(), this.#patience)
    await ended
    clearTimeout(late)
  }

  #start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(entry, { workerData: this.#opened, stderr: true, stdout: true })
    worker.on('message', (report: Report) => this.#hear(report))
    // What a library prints, or a failure says, may quote the data: it goes nowhere.
    worker.on('error', () => {})
    worker.on('exit', () => this.#end(worker))
    this.#worker = worker
    return worker
  }

  #hear(report: Report): void {
    const pending = this.#pending.get(report.id)
    if (!pending) return
    if ('share' in report) {
      pending.progress?.(report.share, report.doing)
      return
    }
    this.#pending.delete(report.id)
    if ('value' in report) pending.resolve(report.value)
    else pending.reject(restored(report.failure))
  }

  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
    for (const { reject } of this.#pending.values()) reject(ended())
    this.#pending.clear()
  }
}

const ended = () => problem('interrupted', 'the work was interrupted')
