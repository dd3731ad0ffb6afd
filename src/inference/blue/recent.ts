/** What was made last for some objects, up to a total size. What was dropped is made again when it is needed. */
export class Recent<K extends object, V> {
  readonly #most: number
  readonly #made = new Map<K, { readonly value: V; readonly size: number }>()
  #total = 0

  constructor(most: number) {
    this.#most = most
  }

  get(key: K): V | undefined {
    return this.#made.get(key)?.value
  }

  set(key: K, value: V, size: number): void {
    this.#drop(key)
    this.#made.set(key, { value, size })
    this.#total += size
    for (const oldest of this.#made.keys()) {
      if (this.#total <= this.#most || oldest === key) return
      this.#drop(oldest)
    }
  }

  #drop(key: K): void {
    this.#total -= this.#made.get(key)?.size ?? 0
    this.#made.delete(key)
  }
}
