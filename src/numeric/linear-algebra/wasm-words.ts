/** The words of WebAssembly's binary format that our kernels are written with, instruction by instruction. */
const i32 = 0x7f
const v128 = 0x7b

/** Declared here, since the compiler's library for Node has no WebAssembly. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { readonly exports: unknown }
}

/** A memory of our own, which the module brings along. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** Integers in the binary format: seven bits a byte, the last without its top bit. */
export function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}
/** The same where the last byte's second bit is a sign: for whole numbers from 0 up. */
const positive = (value: number): number[] =>
  value < 64 ? [value] : [(value & 127) | 128, ...positive(Math.floor(value / 128))]

export const get = (local: number): number[] => [0x20, local]
export const set = (local: number): number[] => [0x21, local]
export const constant = (value: number): number[] => [0x41, ...positive(value)]
export const simd = (opcode: number, ...operands: number[]): number[] => [0xfd, ...unsigned(opcode), ...operands]
/** address += amount, a constant or another local. */
export const advance = (address: number, amount: number): number[] => [
  ...get(address),
  ...constant(amount),
  0x6a,
  ...set(address),
]
export const advanceBy = (address: number, amount: number): number[] => [
  ...get(address),
  ...get(amount),
  0x6a,
  ...set(address),
]
/** Does the body `count` times, once at least, and leaves 0 in `count`. */
export const repeat = (count: number, body: readonly number[]): number[] => [
  ...[0x03, 0x40, ...body],
  ...[...get(count), ...constant(1), 0x6b, 0x22, count, 0x0d, 0, 0x0b],
]
/** The body where the local is not 0. */
export const when = (local: number, body: readonly number[]): number[] => [...get(local), 0x04, 0x40, ...body, 0x0b]

const section = (id: number, body: readonly number[]): number[] => [id, ...unsigned(body.length), ...body]
const text = (name: string) => [name.length, ...[...name].map((letter) => letter.charCodeAt(0))]

/** A function of whole numbers that returns nothing: its parameters, its other locals, its instructions. */
export interface WasmFunction {
  readonly name: string
  readonly parameters: number
  /** So many further i32, and after them so many vectors. */
  readonly integers: number
  readonly vectors: number
  readonly body: readonly number[]
}

/** A module of these functions and a memory of one page; undefined if the machine lacks an instruction. */
export function instantiate(functions: readonly WasmFunction[]): unknown {
  const types = functions.flatMap(({ parameters }) => [0x60, parameters, ...Array<number>(parameters).fill(i32), 0])
  const codes = functions.flatMap(({ integers, vectors, body }) => {
    const code = [2, integers, i32, vectors, v128, ...body, 0x0b]
    return [...unsigned(code.length), ...code]
  })
  const count = functions.length
  const bytes = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [count, ...types]),
    ...section(3, [count, ...functions.keys()]),
    ...section(5, [1, 0, 1]),
    ...section(7, [count + 1, ...text('memory'), 2, 0, ...functions.flatMap(({ name }, i) => [...text(name), 0, i])]),
    ...section(10, [count, ...codes]),
  ])
  if (!WebAssembly.validate(bytes)) return undefined
  return (new WebAssembly.Instance(new WebAssembly.Module(bytes)) as { exports: unknown }).exports
}
