/**
 * The bytes of requests that each caller waits for answers to. Requests may come faster than they are answered; few short ones are nothing, but
 * half a megabyte a hundred times a second fills the memory within a minute.
 */
export class BytesUnderWay {
  readonly #most: number
  readonly #bytes = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether these are too many; otherwise they count until their answer is sent, or nobody waits for it any more. */
  isExceeded(key: string, bytes: number, answer: { on(event: 'close', ended: () => void): unknown }): boolean {
    const now = (this.#bytes.get(key) ?? 0) + bytes
    if (now > this.#most) return true
    if (bytes === 0) return false
    this.#bytes.set(key, now)
    answer.on('close', () => {
      const left = this.#bytes.get(key)! - bytes
      if (left > 0) this.#bytes.set(key, left)
      else this.#bytes.delete(key)
    })
    return false
  }
}
