import { DatasetThread, type Following } from './dataset-thread.ts'
import { FairLine } from './fair-line.ts'
import type { Work, WorkName } from './work.ts'

/** Work under way in a thread from which on another one is worth its memory. */
const crowded = 1
/** A thread that has a few things to do is never idle; more than that waits in a line that is fair. */
const atOnce = 4

/**
 * Threads for what is short and costs nothing, each with the data set opened and its history read. There is one to begin with; others join when
 * all have something to do, and are given work once they are warm. Callers take turns.
 */
export class ThreadPool {
  readonly #policyFile: string
  readonly #most: number
  readonly #warm: (thread: DatasetThread) => Promise<unknown>
  readonly #threads: DatasetThread[]
  /** The one that is about to join. */
  #next: DatasetThread | undefined
  #isClosed = false
  readonly #line = new FairLine(() => atOnce * this.#threads.length)

  /** `warm` is what a thread does before it is given work. */
  constructor(policyFile: string, most: number, warm: (thread: DatasetThread) => Promise<unknown>) {
    this.#policyFile = policyFile
    this.#most = most
    this.#warm = warm
    this.#threads = [new DatasetThread(policyFile)]
  }

  warm(): Promise<unknown> {
    return this.#warm(this.#threads[0]!)
  }

  /** Does work for a caller. */
  do<N extends WorkName>(
    caller: string,
    name: N,
    given: Parameters<Work[N]>[0],
    following?: Following,
  ): ReturnType<Work[N]> {
    const work = (): Promise<unknown> => this.#byIdlest(name, given, following)
    return this.#line.do(caller, work) as ReturnType<Work[N]>
  }

  #byIdlest<N extends WorkName>(name: N, given: Parameters<Work[N]>[0], following?: Following): ReturnType<Work[N]> {
    const idlest = this.#threads.reduce((least, thread) => (thread.pending < least.pending ? thread : least))
    if (idlest.pending >= crowded) this.#grow()
    return idlest.do(name, given, following)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const all = this.#next ? [...this.#threads, this.#next] : this.#threads
    await Promise.all(all.map((thread) => thread.close()))
  }

  #grow(): void {
    if (this.#isClosed || this.#next || this.#threads.length >= this.#most) return
    const next = new DatasetThread(this.#policyFile)
    this.#next = next
    const join = () => {
      if (!this.#isClosed) this.#threads.push(next)
      this.#next = undefined
    }
    this.#warm(next).then(join, join)
  }
}
