/**
 * Reads something once for all who ask for it in one turn of the event loop: in a burst of requests looking at the ledger would take
 * longer than the rest. It begins after each of them has asked, so nobody is told something older than his question.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>
  #next: Promise<T> | undefined

  constructor(read: () => Promise<T>) {
    this.#read = read
  }

  read(): Promise<T> {
    this.#next ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#next = undefined
        this.#read().then(resolve, reject)
      })
    })
    return this.#next
  }
}
