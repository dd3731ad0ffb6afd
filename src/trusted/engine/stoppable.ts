import { problem } from '../../schema/index.ts'
import type { Engine, Snapshot } from './engine.ts'

/**
 * An engine that can be told to stop what it reads before a purchase: looks and full checks, which may take hours. What
 * has been paid for is answered in any case. It goes on afterwards: whoever asks next has the source opened anew.
 */
export class StoppableEngine implements Engine {
  readonly #open: () => Promise<Engine>
  #inner: Promise<Engine> | undefined
  readonly #stopped = new WeakSet<Promise<Engine>>()
  #isClosed = false
  #closing: Promise<void> = Promise.resolve()
  #reading = 0
  #answering = 0

  constructor(open: () => Promise<Engine>) {
    this.#open = open
  }

  /** Looks and checks that are under way fail with `interrupted`. Does nothing while something is being answered, or nothing is read. */
  stop(): void {
    if (!this.#inner || this.#reading === 0 || this.#answering > 0) return
    this.#stopped.add(this.#inner)
    this.#drop().catch(() => undefined)
  }

  async snapshot(): Promise<Snapshot> {
    const inner = this.#opened()
    return this.#read(inner, async () => this.#watched(inner, await (await inner).snapshot()))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#drop()
  }

  /** Done once all that were ever opened are closed: until then, a server may not know that it shall stop. */
  #drop(): Promise<void> {
    const inner = this.#inner
    this.#inner = undefined
    const closed = inner?.then(
      (engine) => engine.close(),
      () => undefined,
    )
    this.#closing = Promise.all([this.#closing, closed]).then(() => undefined)
    return this.#closing
  }

  /** Data that cannot be opened now are tried again the next time. */
  #opened(): Promise<Engine> {
    if (this.#isClosed) throw new RangeError('the engine is closed')
    this.#inner ??= this.#open().catch((error) => {
      this.#inner = undefined
      throw error
    })
    return this.#inner
  }

  async #read<T>(inner: Promise<Engine>, work: () => Promise<T>): Promise<T> {
    this.#reading++
    try {
      const found = await work()
      if (!this.#stopped.has(inner)) return found
    } catch (error) {
      // What is stopped may fail with anything.
      if (!this.#stopped.has(inner)) throw error
    } finally {
      this.#reading--
    }
    throw problem('interrupted', 'interrupted')
  }

  #watched(inner: Promise<Engine>, snapshot: Snapshot): Snapshot {
    const answering = async <T>(work: () => Promise<T>): Promise<T> => {
      this.#answering++
      try {
        return await work()
      } finally {
        this.#answering--
      }
    }
    return {
      quick: snapshot.quick,
      full: () => this.#read(inner, () => snapshot.full()),
      answer: (queries) => answering(() => snapshot.answer(queries)),
      warm: async () => snapshot.warm?.(),
      ...(snapshot.marginals && { marginals: (list) => answering(() => snapshot.marginals!(list)) }),
    }
  }
}
