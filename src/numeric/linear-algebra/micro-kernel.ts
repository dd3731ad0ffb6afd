/**
 * The one inner loop of our linear algebra, in WebAssembly: JavaScript has no vector instructions, and a factorisation
 * of 5,000 rows is 4·10^10 operations. The module is so small that it is written here instruction by instruction.
 *
 * update(a, b, c, count): c[4j+i] -= Σ_t a[4t+i]·b[4t+j] for i, j < 4 and t < count, where a, b, c are addresses of
 * doubles in the heap. So a and b are four rows each, column by column, and c is four by four.
 */
export interface MicroKernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  update(a: number, b: number, c: number, count: number): void
}

/** Declared here, since the compiler's library for Node has no WebAssembly. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { readonly exports: unknown }
}

const i32 = 0x7f
const v128 = 0x7b
const [a, b, c, count] = [0, 1, 2, 3]
/** Eight accumulators, two columns of `a`, one number of `b` twice. */
const sums = [4, 5, 6, 7, 8, 9, 10, 11] as const
const [low, high, factor] = [12, 13, 14]

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const constant = (value: number) => [0x41, value]
const simd = (opcode: number, ...operands: number[]) => [0xfd, ...unsigned(opcode), ...operands]
const load = (address: number, offset: number) => [...get(address), ...simd(0, 3, ...unsigned(offset))]
const loadTwice = (address: number, offset: number) => [...get(address), ...simd(10, 3, ...unsigned(offset))]

/** Integers in the binary format: seven bits a byte, the last without its top bit. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}
const section = (id: number, body: readonly number[]) => [id, ...unsigned(body.length), ...body]
const text = (name: string) => [name.length, ...[...name].map((letter) => letter.charCodeAt(0))]

/** sum += x·y: fused where the machine can (relaxed SIMD), else a product and a sum. */
const fused = (sum: number, x: number, y: number) => [...get(x), ...get(y), ...get(sum), ...simd(0x107), ...set(sum)]
const plain = (sum: number, x: number, y: number) => [
  ...get(sum),
  ...[...get(x), ...get(y), ...simd(0xf2)],
  ...simd(0xf0),
  ...set(sum),
]

function assemble(multiplyAdd: typeof fused): Uint8Array {
  const step = [
    ...[...load(a, 0), ...set(low), ...load(a, 16), ...set(high)],
    ...[0, 1, 2, 3].flatMap((j) => [
      ...[...loadTwice(b, 8 * j), ...set(factor)],
      ...multiplyAdd(sums[2 * j]!, low, factor),
      ...multiplyAdd(sums[2 * j + 1]!, high, factor),
    ]),
    ...[a, b].flatMap((address) => [...get(address), ...constant(32), 0x6a, ...set(address)]),
  ]
  const next = [...get(count), ...constant(1), 0x6b, 0x22, count, 0x0d, 0] // branch back while count - 1 is not 0
  const whenAny = [...get(count), 0x04, 0x40, 0x03, 0x40, ...step, ...next, 0x0b, 0x0b]
  const store = sums.flatMap((sum, i) => [
    ...get(c),
    ...[...load(c, 16 * i), ...get(sum), ...simd(0xf1)],
    ...simd(11, 3, ...unsigned(16 * i)),
  ])
  const locals = [1, 11, v128]
  const code = [...locals, ...whenAny, ...store, 0x0b]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 4, i32, i32, i32, i32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...text('memory'), 2, 0, ...text('update'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}

/** A kernel of its own heap; undefined where the machine lacks the instructions. */
export function buildKernel(arithmetic: 'fused' | 'plain'): MicroKernel | undefined {
  const bytes = assemble(arithmetic === 'fused' ? fused : plain)
  if (!WebAssembly.validate(bytes)) return undefined
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as MicroKernel
}

let shared: MicroKernel | undefined

/** The kernel with its heap: one for the process, since nothing stays in the heap between two calls from outside. */
export function microKernel(): MicroKernel {
  shared ??= buildKernel('fused') ?? buildKernel('plain')!
  return shared
}
