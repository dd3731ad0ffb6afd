import { advance, get, instantiate, repeat, set, simd, type WasmMemory, when } from '../linear-algebra/wasm-words.ts'

/**
 * Counts the bits that two runs of bits have in common, 128 at a time: JavaScript has neither vectors nor an instruction that counts
 * bits. The module is written here instruction by instruction, as the kernels of our linear algebra are.
 */
interface BitKernel {
  readonly memory: WasmMemory
  /** For addresses a and b of `count` vectors each, four counts at the address `sums`; their sum is the answer. */
  common(a: number, b: number, sums: number, count: number): void
}

const [a, b, sums, count, total] = [0, 1, 2, 3, 4]
const load = (address: number) => [...get(address), ...simd(0, 4, 0)]
const [and, onesOfBytes, add, pairsOfBytes, pairsOfShorts] = [0x4e, 0x62, 0xae, 0x7d, 0x7f].map((op) => simd(op))

function bitKernel(): BitKernel {
  const ones = [...load(a), ...load(b), ...and!, ...onesOfBytes!]
  const step = [
    ...[...ones, ...pairsOfBytes!, ...pairsOfShorts!, ...get(total), ...add!, ...set(total)],
    ...[...advance(a, 16), ...advance(b, 16)],
  ]
  const body = [...when(count, repeat(count, step)), ...get(sums), ...get(total), ...simd(11, 4, 0)]
  return instantiate([{ name: 'common', parameters: 4, integers: 0, vectors: 1, body }]) as BitKernel
}

let shared: BitKernel | undefined

/** Runs are as long as so many words of 32 bits. */
const vectorWords = 4
const pageBytes = 2 ** 16

/**
 * Runs of bits of one length, in a memory that all of them share, one use after another: `use` may write words and count, and must
 * not keep anything. What it wrote is wiped out when it is through.
 */
export function withRuns<T>(runs: number, words: number, use: (bits: BitRuns) => T): T {
  shared ??= bitKernel()
  const { memory, common } = shared
  const length = Math.ceil(words / vectorWords) * vectorWords
  const bytes = 4 * (vectorWords + runs * length)
  if (bytes > memory.buffer.byteLength) memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / pageBytes))
  const all = new Int32Array(memory.buffer, 0, bytes / 4)
  const start = (run: number) => 4 * (vectorWords + run * length)
  try {
    return use({
      words: all.subarray(vectorWords),
      length,
      inBoth(first, second) {
        common(start(first), start(second), 0, length / vectorWords)
        return all[0]! + all[1]! + all[2]! + all[3]!
      },
    })
  } finally {
    all.fill(0)
  }
}

export interface BitRuns {
  /** Those of run 0, then those of run 1, and so on; all 0 at first. */
  readonly words: Int32Array
  /** Words from one run to the next: as many as were asked for, or a few more. */
  readonly length: number
  /** How many bits are set in both of two runs. */
  inBoth(first: number, second: number): number
}
