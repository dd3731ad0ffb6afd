import { type MicroKernel, microKernel } from './micro-kernel.ts'

const pageBytes = 2 ** 16

/** The micro-kernel and its memory as doubles, at least so many. What an earlier caller left there is rubbish. */
export function heapOf(doubles: number): { kernel: MicroKernel; heap: Float64Array } {
  const kernel = microKernel()
  const missing = Math.ceil((8 * doubles - kernel.memory.buffer.byteLength) / pageBytes)
  if (missing > 0) kernel.memory.grow(missing)
  return { kernel, heap: new Float64Array(kernel.memory.buffer) }
}

/** Columns that four rows of one side keep in the first-level cache, and rows of the other side in the second. */
export const chunk = 256
export const blockRows = 64

/** Four rows from `first` on, columns from … to - 1, column by column; what a row does not have is 0. */
export function pack(rows: readonly Float64Array[], first: number, from: number, to: number, into: Float64Array): void {
  const [r0, r1, r2, r3] = [rows[first], rows[first + 1], rows[first + 2], rows[first + 3]]
  if (r3 && Math.min(r0!.length, r1!.length, r2!.length, r3.length) >= to) {
    for (let t = from, at = 0; t < to; t++, at += 4) {
      into[at] = r0![t]!
      into[at + 1] = r1![t]!
      into[at + 2] = r2![t]!
      into[at + 3] = r3[t]!
    }
    return
  }
  for (let i = 0; i < 4; i++) {
    const row = rows[first + i]
    const end = Math.min(to, row?.length ?? 0)
    for (let t = from; t < end; t++) into[4 * (t - from) + i] = row![t]!
    for (let t = Math.max(from, end); t < to; t++) into[4 * (t - from) + i] = 0
  }
}
