import { type Column, double } from '../sql/index.ts'
import { finiteSql, type NumbersReport, valuesOf } from './numbers.ts'
import type { Inspected } from './session.ts'

/** Bins that a draft proposes: of one width, or with edges that lie further apart where numbers are larger. */
export type DraftedBins =
  | { readonly low: number; readonly high: number; readonly width: number }
  | { readonly edges: readonly number[] }

/** What taking the middle of a bin for each value may cost, as a share of the sum of absolute values. */
const mostError = 0.01
/** The same for each value by itself, on average, where bins widen with the numbers: errors on both sides balance. */
const mostMove = 0.05
const [fewestEven, mostEven, mostGiven] = [100, 10_000, 1000]

/** Widths of bins from 1, 2 and 5 times a power of ten on, as parts of it; the coarsest first. */
const series = [
  [0.5, 1, 2.5],
  [0.2, 0.5, 1],
  [0.1, 0.2, 0.5],
  [0.05, 0.1, 0.2],
] as const
type Parts = (typeof series)[number]

/**
 * Bins at round edges, and as few as will do: a typical sum, in which each value is moved to the middle of its bin, is off by less than
 * 1%, unless a few values make up most of it. Undefined where numbers are too large or too small to be written in a policy.
 */
export async function draftBins(
  column: Column,
  s: Inspected,
  numbers: NumbersReport,
): Promise<DraftedBins | undefined> {
  const { low, high } = numbers
  const largest = Math.max(Math.abs(low), Math.abs(high))
  const least = Math.max((high - low) / mostEven, largest / 1e12)
  if (!(largest < 1e14) || !(least > 1e-12)) return undefined
  const widths = roundNumbers(least, (high - low) / fewestEven)
  const values = { from: valuesOf(column, s), value: finiteSql(s) }
  const even = await errors(
    s,
    values,
    numbers.size,
    widths.map((width) => ({ width: String(width), first: 0 })),
  )
  const width = widths.findLast((_, i) => even[i]!.move <= mostError)
  return width === undefined ? gradedBins(s, values, numbers) : { ...roundOut(low, high, width), width }
}

/** A relation of numbers, and how one of them is written. */
interface Values {
  readonly from: string
  readonly value: string
}

/** Bins that widen with the numbers, from a hundredth of the mean on. */
async function gradedBins(s: Inspected, values: Values, numbers: NumbersReport): Promise<DraftedBins> {
  const finest = numbers.decimals === undefined ? 0 : 10 ** -numbers.decimals
  const first = Math.max(finest, 10 ** Math.floor(Math.log10(numbers.size / 100)))
  const found = await errors(
    s,
    values,
    numbers.size,
    series.map((parts) => ({ width: gradedWidth(values.value, first, finest, parts), first })),
  )
  const all = series.map((parts) => gradedEdges(numbers, first, finest, parts))
  const enough = all.findIndex((_, i) => found[i]!.sum <= mostError && found[i]!.move <= mostMove)
  const fitting = all.filter((edges) => edges.length <= mostGiven)
  return { edges: (enough >= 0 && fitting[enough]) || fitting.at(-1) || all[0]! }
}

/** Round numbers around two others that are multiples of a step. */
export function roundOut(low: number, high: number, step: number): { low: number; high: number } {
  const power = 10 ** Math.floor(Math.log10(Math.max(step, high - low)))
  const unit = Math.max(power, step)
  const wide = { low: Math.floor(low / unit + 1e-9) * unit, high: Math.ceil(high / unit - 1e-9) * unit }
  return wide.low < wide.high ? wide : { low: wide.low, high: wide.low + unit }
}

/** 1, 2 and 5 times powers of ten between two bounds; the first one at least. */
function roundNumbers(from: number, to: number): number[] {
  const found: number[] = []
  for (let power = Math.floor(Math.log10(from)); ; power++)
    for (const digit of [1, 2, 5]) {
      const value = Number(`${digit}e${power}`)
      if (value < from * (1 - 1e-9)) continue
      if (found.length > 0 && value > to) return found
      found.push(value)
    }
}

/** How far middles are from values, in all and on average, as shares of the values' size. Below `first` there is one bin. */
async function errors(
  s: Inspected,
  { from, value }: Values,
  size: number,
  bins: readonly { readonly width: string; readonly first: number }[],
): Promise<{ sum: number; move: number }[]> {
  const moves = bins.map(({ width, first }) => {
    const middle = `(floor(${value} / (${width})) + 0.5) * (${width})`
    return `CASE WHEN ${value} >= 0 AND ${value} < ${first} THEN ${first / 2} ELSE ${middle} END - ${value}`
  })
  const asked = moves.flatMap((move, i) => [
    [`sum${i}`, double(`avg(${move})`)] as const,
    [`move${i}`, double(`avg(abs(${move}))`)] as const,
  ])
  const found = await s.numbers(Object.fromEntries(asked), from)
  return bins.map((_, i) => ({ sum: Math.abs(found[`sum${i}`]!) / size, move: found[`move${i}`]! / size }))
}

/** The width of the bin that a value lies in. */
function gradedWidth(value: string, first: number, finest: number, [a, b, c]: Parts): string {
  const size = `greatest(abs(${value}), ${first})`
  const decade = `pow(10, floor(log10(${size})))`
  const part = `CASE WHEN ${size} < 2 * ${decade} THEN ${a} WHEN ${size} < 5 * ${decade} THEN ${b} ELSE ${c} END`
  return `greatest(${decade} * ${part}, ${finest})`
}

/** Edges from below the lowest to above the highest value. */
function gradedEdges({ low, high }: NumbersReport, first: number, finest: number, parts: Parts): number[] {
  const to = (most: number) => (most > 0 ? gradedTo(most, first, finest, parts) : [])
  const negative = to(-low).map((edge) => -edge)
  return [...negative.reverse(), 0, ...to(high)]
}

function gradedTo(most: number, first: number, finest: number, parts: Parts): number[] {
  const edges: number[] = []
  for (let decade = first; ; decade *= 10)
    for (const [i, part] of parts.entries()) {
      const [from, to] = [[1, 2, 5][i]!, [2, 5, 10][i]!]
      const width = Math.max(part, finest / decade)
      for (let at = from; at < to - 1e-9; at += width) {
        const edge = Number((at * decade).toPrecision(6))
        edges.push(edge)
        if (edge > most) return edges
      }
    }
}
