import { type Factor, factorTable } from '../../query/index.ts'

/**
 * A factor prepared for sums: integers over one attribute's codes, 0 outside `from` … `to`. An indicator of an interval
 * needs nothing else, one of a set its codes, anything else its table.
 */
export interface Column {
  readonly factor: Factor
  /** Number of codes of the attribute. */
  readonly size: number
  readonly from: number
  readonly to: number
  readonly interval: boolean
  readonly codes: readonly number[] | undefined
  /** Σ g and its average over all codes. */
  readonly sum: number
  readonly mean: number
}

export function columnOf(factor: Factor, size: number): Column {
  const codes = factor.kind === 'set' ? factor.codes : undefined
  const [from, to] =
    'from' in factor ? [factor.from, factor.to] : codes ? [codes[0] ?? 0, codes.at(-1) ?? -1] : [0, size - 1]
  const interval = factor.kind === 'interval' || (codes !== undefined && to - from + 1 === codes.length)
  const sum = interval ? to - from + 1 : codes ? codes.length : total(factorTable(factor, size))
  return { factor, size, from, to, interval, codes, sum, mean: sum / size }
}

const total = (table: Float64Array) => table.reduce((sum, value) => sum + value, 0)

/** Computed once per factor, and shared by the groups of a query. An attribute of another size needs its own. */
class PerColumn<T> {
  readonly #made = new WeakMap<Factor, { readonly size: number; readonly value: T }>()
  readonly #make: (column: Column) => T

  constructor(make: (column: Column) => T) {
    this.#make = make
  }

  of(column: Column): T {
    const known = this.#made.get(column.factor)
    if (known?.size === column.size) return known.value
    const value = this.#make(column)
    this.#made.set(column.factor, { size: column.size, value })
    return value
  }
}

/** Sums over many codes are computed once per pair of factors, since dozens of terms share them. For few codes, adding is faster than looking up. */
class PerPair {
  readonly #sums = new PerColumn<WeakMap<Factor, number>>(() => new WeakMap())

  of(g: Column, h: Column, sum: () => number): number {
    const known = this.#sums.of(g)
    const before = known.get(h.factor)
    if (before !== undefined) return before
    const value = sum()
    known.set(h.factor, value)
    return value
  }
}
const fewCodes = 64

const tables = new PerColumn((column) => factorTable(column.factor, column.size))

/** The column's integers, made once. */
export const tableOf = (column: Column): Float64Array => tables.of(column)

export const valueAt = (column: Column, code: number): number =>
  column.interval ? (code >= column.from && code <= column.to ? 1 : 0) : tableOf(column)[code]!

/** Σ g over the codes below each code. */
const prefixes = new PerColumn((column) => {
  const prefix = new Float64Array(column.size + 1)
  const table = tableOf(column)
  for (let code = 0; code < column.size; code++) prefix[code + 1] = prefix[code]! + table[code]!
  return prefix
})

/** Σ g·h over the codes; exact as long as it is below 2^53. */
export function crossSum(g: Column, h: Column): number {
  const from = g.from > h.from ? g.from : h.from
  const to = g.to < h.to ? g.to : h.to
  if (from > to) return 0
  if (g.interval && h.interval) return to - from + 1
  if (g.interval) return rangeSum(h, from, to)
  if (h.interval) return rangeSum(g, from, to)
  return listedSum(g, h, from, to)
}

function rangeSum(g: Column, from: number, to: number): number {
  const prefix = prefixes.of(g)
  return prefix[to + 1]! - prefix[from]!
}

const listedSums = new PerPair()

function listedSum(g: Column, h: Column, from: number, to: number): number {
  const codes = g.codes ?? h.codes
  const sum = () => sumOfListed(g, h, codes ?? { from, to })
  return (codes?.length ?? to - from) > fewCodes ? listedSums.of(g, h, sum) : sum()
}

function sumOfListed(g: Column, h: Column, codes: readonly number[] | { from: number; to: number }): number {
  const [x, y] = [tableOf(g), tableOf(h)]
  let sum = 0
  if (!('from' in codes)) for (const code of codes) sum += x[code]! * y[code]!
  else for (let { from: code } = codes; code <= codes.to; code++) sum += x[code]! * y[code]!
  return sum
}

/** The largest |g - g(last code)|, and their sum over the codes. */
export function reachOf(column: Column): { readonly most: number; readonly sum: number } {
  const { interval, codes, to, size, sum: count } = column
  if (interval || codes) {
    const sum = to === size - 1 ? size - count : count
    return { most: sum > 0 ? 1 : 0, sum }
  }
  const table = tableOf(column)
  let [most, sum] = [0, 0]
  for (let code = 0; code < size; code++) {
    const reach = Math.abs(table[code]! - table[size - 1]!)
    if (reach > most) most = reach
    sum += reach
  }
  return { most, sum }
}

/** Where a column changes, by how much: g(0) at code 0 and g(code) - g(code - 1) at the others, without the zeros. */
export interface Steps {
  readonly codes: readonly number[]
  readonly steps: readonly number[]
}

const stepLists = new PerColumn((column): Steps => {
  const { interval, from, to, size } = column
  if (interval) return to + 1 < size ? { codes: [from, to + 1], steps: [1, -1] } : { codes: [from], steps: [1] }
  const table = tableOf(column)
  const codes: number[] = []
  for (let code = 0; code < size; code++) if (table[code] !== (code > 0 ? table[code - 1] : 0)) codes.push(code)
  return { codes, steps: codes.map((code) => table[code]! - (code > 0 ? table[code - 1]! : 0)) }
})

export const stepsOf = (column: Column): Steps => stepLists.of(column)

/**
 * Steps of steps, so many times over that they are fewest: of numbers that rise evenly, or as squares do, next to none are left.
 * As a polynomial Σ step·x^code they are that of the steps times (1 - x)^times.
 */
const shortest = new PerColumn((column): Steps & { readonly times: number } => {
  let found = { ...stepsOf(column), times: 0 }
  if (found.codes.length <= fewCodes) return found
  let dense = new Float64Array(column.size + mostTimes)
  found.codes.forEach((code, k) => {
    dense[code] = found.steps[k]!
  })
  for (let times = 1; times <= mostTimes; times++) {
    dense = dense.map((step, code) => step - (code > 0 ? dense[code - 1]! : 0))
    if (!dense.every(Number.isSafeInteger)) break
    const codes = [...dense.keys()].filter((code) => dense[code] !== 0)
    if (codes.length < found.codes.length) found = { codes, steps: codes.map((code) => dense[code]!), times }
  }
  return found
})
const mostTimes = 3

export const shortSteps = (column: Column) => shortest.of(column)

export function stepAt(column: Column, code: number): number {
  if (column.interval) return code === column.from ? 1 : code === column.to + 1 ? -1 : 0
  const table = tableOf(column)
  return table[code]! - (code > 0 ? table[code - 1]! : 0)
}

/** Σ of products of steps at codes other than 0. */
export function crossSteps(g: Column, h: Column): number {
  const [few, other] = stepsOf(g).codes.length <= stepsOf(h).codes.length ? [g, h] : [h, g]
  const steps = stepsOf(few)
  return steps.codes.length > fewCodes
    ? stepSums.of(few, other, () => sumOfSteps(steps, other))
    : sumOfSteps(steps, other)
}

const stepSums = new PerPair()

function sumOfSteps({ codes, steps }: Steps, other: Column): number {
  let sum = 0
  for (let k = 0; k < codes.length; k++) if (codes[k] !== 0) sum += steps[k]! * stepAt(other, codes[k]!)
  return sum
}
