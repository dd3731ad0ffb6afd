import type { Integers } from '../../../query/index.ts'
import { corrupt } from '../damage.ts'

/**
 * Vectors of integers as bytes: their number, then each one's length and its integers. An integer is its sign in the
 * lowest bit of the first byte, then its size, low bits first: 6 bits in that byte and 7 in each further one, whose
 * highest bit says that more follow. Noise around small counts takes a byte or two a cell, so nothing is compressed.
 * Each list of vectors has one encoding only; any other is refused.
 */
export function encodeIntegers(vectors: readonly Integers[]): Uint8Array {
  const writer = new Writer()
  writer.doubles([vectors.length])
  for (const vector of vectors) {
    writer.doubles([vector.length])
    if (vector instanceof Float64Array) writer.doubles(vector)
    else writer.bigints(vector)
  }
  return writer.bytes()
}

/** Reads what encodeIntegers wrote: doubles where all of a vector are below 2^53, else BigInts. */
export function decodeIntegers(bytes: Uint8Array): Integers[] {
  const reader = new Reader(bytes)
  const vectors = Array.from({ length: reader.length() }, () => {
    const length = reader.length()
    return reader.doubles(length) ?? reader.bigints(length)
  })
  reader.end()
  return vectors
}

class Writer {
  #bytes = new Uint8Array(64)
  #at = 0

  doubles(values: ArrayLike<number>): void {
    const bytes = this.#room(values.length * 8)
    let at = this.#at
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      if (!Number.isSafeInteger(value)) throw new RangeError('a ledger holds integers; doubles only below 2^53')
      let rest = Math.abs(value)
      let byte = ((rest % 64) << 1) | (value < 0 ? 1 : 0)
      rest = Math.floor(rest / 64)
      while (rest > 0) {
        bytes[at++] = byte | 128
        byte = rest % 128
        rest = Math.floor(rest / 128)
      }
      bytes[at++] = byte
    }
    this.#at = at
  }

  bigints(values: readonly bigint[]): void {
    for (const value of values) {
      const size = value < 0n ? -value : value
      const bytes = this.#room(size.toString(16).length)
      let byte = (Number(size & 63n) << 1) | (value < 0n ? 1 : 0)
      for (let rest = size >> 6n; rest > 0n; rest >>= 7n) {
        bytes[this.#at++] = byte | 128
        byte = Number(rest & 127n)
      }
      bytes[this.#at++] = byte
    }
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#at)
  }

  /** Makes sure that so many more bytes fit. */
  #room(more: number): Uint8Array {
    if (this.#at + more > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#at + more))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    return this.#bytes
  }
}

/** More than any sum and its noise have: one as long as a forged row would take hours to put together. */
const mostBits = 4096n

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** A number of things to come: never more than there are bytes left, so a damaged one asks for no memory. */
  length(): number {
    const length = this.doubles(1)?.[0] ?? -1
    if (length < 0 || length > this.#bytes.length - this.#at) throw corrupt('its numbers cannot be read')
    return length
  }

  /** Undefined, and nothing read, when one is too large for a double. */
  doubles(length: number): Float64Array | undefined {
    const bytes = this.#bytes
    const values = new Float64Array(length)
    let at = this.#at
    for (let i = 0; i < length; i++) {
      let byte = bytes[at++]!
      let value = (byte >> 1) & 63
      const negative = (byte & 1) === 1
      if (byte > 127) {
        let factor = 64
        do {
          // Whatever follows has a bit up here; further factors would end in Infinity, and 0 times that is no number.
          if (factor > 2 ** 53) return undefined
          byte = bytes[at++]!
          value += (byte & 127) * factor
          factor *= 128
        } while (byte > 127)
        if (byte === 0) throw corrupt('its numbers cannot be read')
        // A sum that was rounded is at least 2^53, so it does not slip through.
        if (value > Number.MAX_SAFE_INTEGER) return undefined
      }
      if (negative && value === 0) throw corrupt('its numbers cannot be read')
      values[i] = negative ? -value : value
    }
    this.#reached(at)
    return values
  }

  bigints(length: number): bigint[] {
    const values: bigint[] = []
    let at = this.#at
    for (let i = 0; i < length; i++) {
      let byte = this.#bytes[at++]!
      const negative = (byte & 1) === 1
      let value = BigInt((byte >> 1) & 63)
      for (let shift = 6n; byte > 127; shift += 7n) {
        byte = this.#bytes[at++]!
        if (byte === 0 || shift > mostBits) throw corrupt('its numbers cannot be read')
        value |= BigInt(byte & 127) << shift
      }
      if (negative && value === 0n) throw corrupt('its numbers cannot be read')
      values.push(negative ? -value : value)
    }
    this.#reached(at)
    return values
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw corrupt('its numbers cannot be read')
  }

  #reached(at: number): void {
    if (at > this.#bytes.length) throw corrupt('its numbers cannot be read')
    this.#at = at
  }
}
