import { type RowKernel, rowFunctions } from './row-loops.ts'
import {
  advance,
  advanceBy,
  constant,
  get,
  instantiate,
  repeat,
  set,
  simd,
  unsigned,
  type WasmFunction,
  type WasmMemory,
  when,
} from './wasm-words.ts'

/**
 * Products of panels of floats (32 bits) and loops over their rows, in WebAssembly: rows of one fixed length, a multiple of
 * eight, one after the other.
 * All arguments are addresses and strides in bytes, and counts.
 */
export interface PanelKernel extends RowKernel {
  readonly memory: WasmMemory
  /** c[i][j] = Σ_t a[i][t]·b[j][t] for four rows of a and twice `pairs` rows of b; `stride` leads from a row of c to the next. */
  dots(a: number, b: number, c: number, stride: number, pairs: number): void
  /** h[i][t] += Σ_j r[i][j]·q[j][t] for four rows of h and `count` > 0 rows of q; the strides are r's, from i to i+1 and from j to j+1. */
  accumulate(h: number, r: number, rowStride: number, columnStride: number, q: number, count: number): void
}

type MultiplyAdd = (sum: number, x: number, y: number) => number[]
/** sum += x·y: fused where the machine can (relaxed SIMD), else a product and a sum. */
const fused: MultiplyAdd = (sum, x, y) => [...get(x), ...get(y), ...get(sum), ...simd(0x105), ...set(sum)]
const plain: MultiplyAdd = (sum, x, y) => [
  ...get(sum),
  ...[...get(x), ...get(y), ...simd(0xe6)],
  ...simd(0xe4),
  ...set(sum),
]

const load = (address: number, offset: number) => [...get(address), ...simd(0, 2, ...unsigned(offset))]
const loadFourTimes = (address: number) => [...get(address), ...simd(9, 2, 0)]
const store = (address: number, offset: number, value: readonly number[]) => [
  ...get(address),
  ...value,
  ...simd(11, 2, ...unsigned(offset)),
]
const clear = (vector: number) => [...simd(12, ...Array<number>(16).fill(0)), ...set(vector)]
const add = simd(0xe4)
/** Four of the eight floats of two vectors. */
const shuffle = (x: readonly number[], y: readonly number[], places: readonly number[]) => [
  ...x,
  ...y,
  ...simd(13, ...places.flatMap((place) => [0, 1, 2, 3].map((byte) => 4 * place + byte))),
]
const four = [0, 1, 2, 3]

function dots(length: number, multiplyAdd: MultiplyAdd): WasmFunction {
  const [a, b, c, stride, pairs, left, from, target] = [0, 1, 2, 3, 4, 5, 6, 7]
  const sum = (i: number, j: number) => 8 + 2 * i + j
  const [rows, factor] = [four.map((i) => 16 + i), 20]
  const step = [
    ...four.flatMap((i) => [...load(from, 4 * length * i), ...set(rows[i]!)]),
    ...[0, 1].flatMap((j) => [
      ...[...load(b, 4 * length * j), ...set(factor)],
      ...four.flatMap((i) => multiplyAdd(sum(i, j), rows[i]!, factor)),
    ]),
    ...[...advance(from, 16), ...advance(b, 16)],
  ]
  // Rows i and i + 1: the sums of the four lanes of four vectors, as one vector of two by two.
  const totals = (i: number) => {
    const half = (x: number, y: number) => [
      ...shuffle(get(x), get(y), [0, 4, 1, 5]),
      ...shuffle(get(x), get(y), [2, 6, 3, 7]),
      ...add,
    ]
    return [
      ...[...half(sum(i, 0), sum(i, 1)), ...set(rows[0]!), ...half(sum(i + 1, 0), sum(i + 1, 1)), ...set(rows[1]!)],
      ...shuffle(get(rows[0]!), get(rows[1]!), [0, 1, 4, 5]),
      ...shuffle(get(rows[0]!), get(rows[1]!), [2, 3, 6, 7]),
      ...[...add, ...set(factor)],
    ]
  }
  // Two floats of a vector: v128.store64_lane.
  const storeHalf = (lane: number) => [...get(target), ...get(factor), ...simd(91, 2, 0, lane)]
  const column = [
    ...[...get(a), ...set(from)],
    ...four.flatMap((i) => [0, 1].flatMap((j) => clear(sum(i, j)))),
    ...[...constant(length / 4), ...set(left), ...repeat(left, step)],
    ...[...get(c), ...set(target)],
    ...[0, 2].flatMap((i) => [
      ...totals(i),
      ...[0, 1].flatMap((lane) => [...storeHalf(lane), ...advanceBy(target, stride)]),
    ]),
    // b stands at the end of the first of its two rows.
    ...[...advance(b, 4 * length), ...advance(c, 8)],
  ]
  return { name: 'dots', parameters: 5, integers: 3, vectors: 13, body: when(pairs, repeat(pairs, column)) }
}

function accumulate(length: number, multiplyAdd: MultiplyAdd): WasmFunction {
  const [h, r, rowStride, columnStride, q, count, chunks, left, from] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const factors = four.map((i) => 9 + i)
  const sum = (i: number, j: number) => 13 + 2 * i + j
  const [low, high, factor] = [21, 22, 23]
  const step = [
    ...[...load(from, 0), ...set(low), ...load(from, 16), ...set(high)],
    ...four.flatMap((i) => [
      ...[...loadFourTimes(factors[i]!), ...set(factor)],
      ...multiplyAdd(sum(i, 0), low, factor),
      ...multiplyAdd(sum(i, 1), high, factor),
      ...advanceBy(factors[i]!, columnStride),
    ]),
    ...advance(from, 4 * length),
  ]
  const chunk = [
    ...[...get(r), ...set(factors[0]!)],
    ...[1, 2, 3].flatMap((i) => [...get(factors[i - 1]!), ...get(rowStride), 0x6a, ...set(factors[i]!)]),
    ...four.flatMap((i) => [0, 1].flatMap((j) => [...load(h, 4 * length * i + 16 * j), ...set(sum(i, j))])),
    ...[...get(q), ...set(from), ...get(count), ...set(left), ...repeat(left, step)],
    ...four.flatMap((i) => [0, 1].flatMap((j) => store(h, 4 * length * i + 16 * j, get(sum(i, j))))),
    ...[...advance(h, 32), ...advance(q, 32)],
  ]
  const body = [...constant(length / 8), ...set(chunks), ...repeat(chunks, chunk)]
  return { name: 'accumulate', parameters: 6, integers: 7, vectors: 11, body }
}

/** A kernel for rows of this length, with a memory of its own; undefined if the machine lacks the instructions. */
export function buildPanelKernel(length: number, arithmetic: 'fused' | 'plain'): PanelKernel | undefined {
  const multiplyAdd = arithmetic === 'fused' ? fused : plain
  const functions = [dots(length, multiplyAdd), accumulate(length, multiplyAdd), ...rowFunctions(length)]
  return instantiate(functions) as PanelKernel | undefined
}

export const panelKernel = (length: number): PanelKernel =>
  buildPanelKernel(length, 'fused') ?? buildPanelKernel(length, 'plain')!
