import { type Factor, factorTable } from '../../query/index.ts'
import { formulaStep, formulaSteps, formulaSum, isFormula } from './line-sums.ts'
import { Recent } from './recent.ts'

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
  const sum = interval ? to - from + 1 : codes ? codes.length : sumOver(factor, size, { kind: 'interval', from, to })
  return { factor, size, from, to, interval, codes, sum, mean: sum / size }
}

const sumOver = (factor: Factor, size: number, range: Factor): number =>
  formulaSum(factor, range) ?? factorTable(factor, size).reduce((sum, value) => sum + value, 0)

/** What was computed for a column of so many codes. */
interface Made<T> {
  readonly size: number
  readonly value: T
}

/** Computed once per factor, and shared by the groups of a query. An attribute of another size needs its own. */
class PerColumn<T> {
  readonly #made = new WeakMap<Factor, Made<T>>()
  protected readonly make: (column: Column) => T

  constructor(make: (column: Column) => T) {
    this.make = make
  }

  of(column: Column): T {
    const known = this.#made.get(column.factor)
    if (known?.size === column.size) return known.value
    const value = this.make(column)
    this.#made.set(column.factor, { size: column.size, value })
    return value
  }
}

/** Columns of more codes than this are written out for the factors that were last looked at… */
const manyCodes = 4096
/** …up to so many codes together: 128 MB. */
const mostWritten = 2 ** 24

/** The same for something as long as the column, which for 10^4 different factors of 10^5 codes would not fit in memory. */
class LongPerColumn<T> extends PerColumn<T> {
  readonly #recent = new Recent<Factor, Made<T>>(mostWritten)

  override of(column: Column): T {
    const { factor, size } = column
    if (size <= manyCodes) return super.of(column)
    const known = this.#recent.get(factor)
    if (known?.size === size) return known.value
    const value = this.make(column)
    this.#recent.set(factor, { size, value }, size)
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

const tables = new LongPerColumn((column) => factorTable(column.factor, column.size))

/** The column's integers. */
export const tableOf = (column: Column): Float64Array => tables.of(column)

export const valueAt = (column: Column, code: number): number =>
  column.interval ? (code >= column.from && code <= column.to ? 1 : 0) : tableOf(column)[code]!

/** Σ g over the codes below each code. */
const prefixes = new LongPerColumn((column) => {
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
  const known = g.size > fewCodes ? formulaSum(g.factor, h.factor) : undefined
  if (known !== undefined) return known
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

const stepLists = new LongPerColumn((column): Steps => {
  const { size } = column
  const table = tableOf(column)
  const codes: number[] = []
  for (let code = 0; code < size; code++) if (table[code] !== (code > 0 ? table[code - 1] : 0)) codes.push(code)
  return { codes, steps: codes.map((code) => table[code]! - (code > 0 ? table[code - 1]! : 0)) }
})

/** Those of a range take less time than to look them up. */
export function stepsOf(column: Column): Steps {
  const { interval, from, to, size } = column
  if (!interval) return stepLists.of(column)
  return to + 1 < size ? { codes: [from, to + 1], steps: [1, -1] } : { codes: [from], steps: [1] }
}

const stepCounts = new PerColumn((column) => stepsOf(column).codes.length)

/** How many steps there are. */
export const stepCount = (column: Column): number =>
  column.interval ? (column.to + 1 < column.size ? 2 : 1) : stepCounts.of(column)

/**
 * Steps of steps, so many times over that they are fewest: of numbers that rise evenly, or as squares do, next to none are left.
 * As a polynomial Σ step·x^code they are that of the steps times (1 - x)^times.
 */
interface ShortSteps extends Steps {
  readonly times: number
}

const shortest = new PerColumn((column) =>
  stepCount(column) <= fewCodes ? { ...stepsOf(column), times: 0 } : shortStepsOf(tableOf(column)),
)
const mostTimes = 3

/** Of a column's integers, if all of them are asked for at once and not kept. */
export function shortStepsOf(table: Float64Array): ShortSteps {
  const dense = new Float64Array(table.length + mostTimes)
  dense.set(table)
  differ(dense, table.length)
  let found = { ...nonZero(dense), times: 0 }
  for (let times = 1; times <= mostTimes && found.codes.length > fewCodes; times++) {
    if (!differ(dense, dense.length)) break
    const next = nonZero(dense)
    if (next.codes.length < found.codes.length) found = { ...next, times }
  }
  return found
}

/** Differences from the number before, in place; false if doubles may have rounded. */
function differ(dense: Float64Array, length: number): boolean {
  let isSafe = true
  for (let code = length - 1; code > 0; code--) {
    dense[code]! -= dense[code - 1]!
    if (!Number.isSafeInteger(dense[code])) isSafe = false
  }
  return isSafe
}

function nonZero(dense: Float64Array): Steps {
  const codes: number[] = []
  for (let code = 0; code < dense.length; code++) if (dense[code] !== 0) codes.push(code)
  return { codes, steps: codes.map((code) => dense[code]!) }
}

export const shortSteps = (column: Column) => shortest.of(column)

export function stepAt(column: Column, code: number): number {
  if (column.interval) return code === column.from ? 1 : code === column.to + 1 ? -1 : 0
  if (isFormula(column.factor)) return formulaStep(column.factor, code)
  const table = tableOf(column)
  return table[code]! - (code > 0 ? table[code - 1]! : 0)
}

/** Σ of products of steps at codes other than 0. */
export function crossSteps(g: Column, h: Column): number {
  const known = g.size > fewCodes ? formulaSteps(g.factor, h.factor, g.size) : undefined
  if (known !== undefined) return known
  const [few, other] = stepCount(g) <= stepCount(h) ? [g, h] : [h, g]
  const steps = stepsOf(few)
  return steps.codes.length > fewCodes
    ? stepSums.of(few, other, () => sumOfSteps(steps, other))
    : sumOfSteps(steps, other)
}

const stepSums = new PerPair()

function sumOfSteps({ codes, steps }: Steps, other: Column): number {
  const table = other.interval ? undefined : tableOf(other)
  let sum = 0
  for (let k = 0; k < codes.length; k++) {
    const code = codes[k]!
    if (code !== 0) sum += steps[k]! * (table ? table[code]! - table[code - 1]! : stepAt(other, code))
  }
  return sum
}
