import { advance, get, instantiate, repeat, set, simd, unsigned, type WasmMemory, when } from './wasm-words.ts'

/**
 * The one inner loop of our linear algebra, in WebAssembly: JavaScript has no vector instructions, and a factorisation
 * of 5,000 rows is 4·10^10 operations. The module is so small that it is written here instruction by instruction.
 *
 * update(a, b, c, count): c[4j+i] -= Σ_t a[4t+i]·b[4t+j] for i, j < 4 and t < count, where a, b, c are addresses of
 * doubles in the heap. So a and b are four rows each, column by column, and c is four by four.
 */
export interface MicroKernel {
  readonly memory: WasmMemory
  update(a: number, b: number, c: number, count: number): void
}

const [a, b, c, count] = [0, 1, 2, 3]
/** Eight accumulators, two columns of `a`, one number of `b` twice. */
const sums = [4, 5, 6, 7, 8, 9, 10, 11] as const
const [low, high, factor] = [12, 13, 14]

const load = (address: number, offset: number) => [...get(address), ...simd(0, 3, ...unsigned(offset))]
const loadTwice = (address: number, offset: number) => [...get(address), ...simd(10, 3, ...unsigned(offset))]

/** sum += x·y: fused where the machine can (relaxed SIMD), else a product and a sum. */
const fused = (sum: number, x: number, y: number) => [...get(x), ...get(y), ...get(sum), ...simd(0x107), ...set(sum)]
const plain = (sum: number, x: number, y: number) => [
  ...get(sum),
  ...[...get(x), ...get(y), ...simd(0xf2)],
  ...simd(0xf0),
  ...set(sum),
]

/** A kernel of its own heap; undefined if the machine lacks the instructions. */
export function buildKernel(arithmetic: 'fused' | 'plain'): MicroKernel | undefined {
  const multiplyAdd = arithmetic === 'fused' ? fused : plain
  const step = [
    ...[...load(a, 0), ...set(low), ...load(a, 16), ...set(high)],
    ...[0, 1, 2, 3].flatMap((j) => [
      ...[...loadTwice(b, 8 * j), ...set(factor)],
      ...multiplyAdd(sums[2 * j]!, low, factor),
      ...multiplyAdd(sums[2 * j + 1]!, high, factor),
    ]),
    ...[...advance(a, 32), ...advance(b, 32)],
  ]
  const store = sums.flatMap((sum, i) => [
    ...get(c),
    ...[...load(c, 16 * i), ...get(sum), ...simd(0xf1)],
    ...simd(11, 3, ...unsigned(16 * i)),
  ])
  const body = [...when(count, repeat(count, step)), ...store]
  return instantiate([{ name: 'update', parameters: 4, integers: 0, vectors: 11, body }]) as MicroKernel | undefined
}

let shared: MicroKernel | undefined

/** The kernel with its heap: one for the process, since nothing stays in the heap between two calls from outside. */
export function microKernel(): MicroKernel {
  shared ??= buildKernel('fused') ?? buildKernel('plain')!
  return shared
}
