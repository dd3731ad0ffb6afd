import { advance, constant, get, repeat, set, simd, type WasmFunction, when } from './wasm-words.ts'

/**
 * Loops over rows of floats, four columns at a time. `streams` are addresses that go on from row to row, `fixed` those of
 * one row that is used again for each; last comes the number of rows.
 */
interface RowLoop {
  readonly name: string
  readonly streams: number
  readonly fixed: number
  /** Vectors that are computed before the loop. */
  readonly constants?: readonly number[]
  /** So many vectors to work with. */
  readonly scratch?: number
  body(
    streams: readonly number[],
    fixed: readonly number[],
    constants: readonly number[],
    scratch: readonly number[],
  ): number[]
}

const four = (value: number): number[] => {
  const bytes = [...new Uint8Array(Float32Array.of(value).buffer)]
  return simd(12, ...bytes, ...bytes, ...bytes, ...bytes)
}
const load = (address: number) => [...get(address), ...simd(0, 2, 0)]
const store = (address: number, value: readonly number[]) => [...get(address), ...value, ...simd(11, 2, 0)]
/** Operations on vectors that are on the stack. */
const binary =
  (opcode: number) =>
  (x: readonly number[], y: readonly number[]): number[] => [...x, ...y, ...simd(opcode)]
const [plus, minus, times, over, largest] = [0xe4, 0xe5, 0xe6, 0xe7, 0xe9].map(binary) as [
  ReturnType<typeof binary>,
  ReturnType<typeof binary>,
  ReturnType<typeof binary>,
  ReturnType<typeof binary>,
  ReturnType<typeof binary>,
]
const root = (x: readonly number[]) => [...x, ...simd(0xe3)]
const nearest = (x: readonly number[]) => [...x, ...simd(0x6a)]
/** 2^n for whole n > -127: the bits of the float. */
const powerOfTwo = (n: readonly number[]) => [
  ...[...n, ...simd(0xf8)],
  ...[...constant(127), ...simd(0x11), ...simd(0xae)],
  ...[...constant(23), ...simd(0xab)],
]

/** Lower arguments than this below 0 count as this: e^-18 is nobody, and smaller floats would cost many times the time. */
const lowestExponent = -18
/** Taylor's coefficients of e^t from the sixth on down: enough for |t| ≤ ln(2)/2 in a float. */
const taylor = [1 / 720, 1 / 120, 1 / 24, 1 / 6, 1 / 2, 1, 1]
/** Adam's decay rates, what keeps squares from becoming denormals, and what keeps them from dividing by 0. */
const [first, second, tiny, least] = [0.9, 0.999, 1e-30, 1e-12]

const loops: readonly RowLoop[] = [
  { name: 'add', streams: 2, fixed: 0, body: ([to, from]) => store(to!, plus(load(to!), load(from!))) },
  { name: 'addAll', streams: 1, fixed: 1, body: ([from], [to]) => store(to!, plus(load(to!), load(from!))) },
  { name: 'addToAll', streams: 1, fixed: 1, body: ([to], [from]) => store(to!, plus(load(to!), load(from!))) },
  {
    name: 'multiply',
    ...{ streams: 2, fixed: 1 },
    body: ([to, from], [by]) => store(to!, times(load(from!), load(by!))),
  },
  {
    name: 'addProducts',
    ...{ streams: 2, fixed: 1 },
    body: ([x, y], [sums]) => store(sums!, plus(load(sums!), times(load(x!), load(y!)))),
  },
  { name: 'raise', streams: 1, fixed: 1, body: ([x], [top]) => store(top!, largest(load(top!), load(x!))) },
  {
    name: 'exponentials',
    ...{ streams: 2, fixed: 2, scratch: 2 },
    constants: [lowestExponent, Math.LOG2E, Math.LN2, ...taylor],
    body([to, from], [top, sums], [lowest, perTwo, two, ...terms], [n, t]) {
      const exponent = times(largest(minus(load(from!), load(top!)), get(lowest!)), get(perTwo!))
      const polynomial = terms.slice(1).reduce((sum, term) => plus(times(sum, get(t!)), get(term)), get(terms[0]!))
      return [
        ...[...exponent, ...set(t!), ...nearest(get(t!)), ...set(n!)],
        ...[...times(minus(get(t!), get(n!)), get(two!)), ...set(t!)],
        ...[...times(polynomial, powerOfTwo(get(n!))), ...set(n!)],
        ...store(to!, get(n!)),
        ...store(sums!, plus(load(sums!), get(n!))),
      ]
    },
  },
  {
    name: 'pullBack',
    ...{ streams: 2, fixed: 2 },
    body: ([slopes, values], [means, by]) =>
      store(slopes!, times(times(minus(load(slopes!), load(means!)), load(values!)), load(by!))),
  },
  {
    name: 'adam',
    ...{ streams: 4, fixed: 2, scratch: 2 },
    constants: [first, 1 - first, second, 1 - second, tiny, least],
    body([parameters, slopes, means, squares], [rate, scale], [b1, c1, b2, c2, small, floor], [mean, square]) {
      const slope = load(slopes!)
      const squared = plus(plus(times(get(b2!), load(squares!)), times(times(slope, slope), get(c2!))), get(small!))
      const step = over(times(load(rate!), get(mean!)), plus(root(times(load(scale!), get(square!))), get(floor!)))
      return [
        ...[...plus(times(get(b1!), load(means!)), times(get(c1!), slope)), ...set(mean!)],
        ...[...squared, ...set(square!)],
        ...store(means!, get(mean!)),
        ...store(squares!, get(square!)),
        ...store(parameters!, minus(load(parameters!), step)),
      ]
    },
  },
]

function assemble({ name, streams, fixed, constants = [], scratch = 0, body }: RowLoop, length: number): WasmFunction {
  const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)
  const rows = streams + fixed
  const left = rows + 1
  const [moving, own] = [range(0, streams), range(left + 1, fixed)]
  const vectors = left + 1 + fixed
  const known = range(vectors, constants.length)
  const step = [
    ...body(moving, own, known, range(vectors + constants.length, scratch)),
    ...[...moving, ...own].flatMap((address) => advance(address, 16)),
  ]
  const row = [
    ...own.flatMap((address, i) => [...get(streams + i), ...set(address)]),
    ...[...constant(length / 4), ...set(left), ...repeat(left, step)],
  ]
  return {
    ...{ name, parameters: rows + 1, integers: 1 + fixed, vectors: constants.length + scratch },
    body: [...known.flatMap((local, i) => [...four(constants[i]!), ...set(local)]), ...when(rows, repeat(rows, row))],
  }
}

/** Of rows of this length. */
export const rowFunctions = (length: number): WasmFunction[] => loops.map((loop) => assemble(loop, length))

/** The loops as functions of addresses and a number of rows. */
export interface RowKernel {
  /** to += from. */
  add(to: number, from: number, rows: number): void
  /** to += all rows of `from`. */
  addAll(from: number, to: number, rows: number): void
  /** Every row of `to` += from. */
  addToAll(to: number, from: number, rows: number): void
  /** to = from·by, for one row of `by`. */
  multiply(to: number, from: number, by: number, rows: number): void
  /** sums += x·y over all rows. */
  addProducts(x: number, y: number, sums: number, rows: number): void
  /** top = the largest of itself and all rows. */
  raise(x: number, top: number, rows: number): void
  /** to = e^max(from - top, lowest exponent); sums += to. */
  exponentials(to: number, from: number, top: number, sums: number, rows: number): void
  /** slopes = (slopes - means)·values·by. */
  pullBack(slopes: number, values: number, means: number, by: number, rows: number): void
  /** One step of Adam (Kingma and Ba 2015): rate and scale are a row each, with its corrections of the first steps. */
  adam(
    parameters: number,
    slopes: number,
    means: number,
    squares: number,
    rate: number,
    scale: number,
    rows: number,
  ): void
}
