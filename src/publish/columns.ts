import { strides } from '../numeric/index.ts'
import type { MarginalTable, MarginalTables } from '../release/index.ts'
import { type Attribute, label } from '../schema/index.ts'

/** One column of numbers in a published table. */
interface NumberColumn {
  readonly name: string
  readonly about: string
  /** Whether its numbers are whole. */
  readonly whole?: true
  /** Undefined where the table has none. */
  readonly at: (cell: number) => number | undefined
}

/** The values that are published of a table, and the estimate and half-width of their intervals. */
export const publishedOf = (
  { counts, combined, within, measured }: MarginalTable,
  raw: boolean,
): { readonly values: Float64Array; readonly middle: Float64Array; readonly within: number } =>
  raw && measured
    ? { values: measured.values, middle: measured.values, within: measured.within }
    : { values: counts, middle: combined, within }

/** The numbers of every table's cells, which stand beside their labels. */
export function numberColumns(
  table: MarginalTable,
  { raw, neighbours, total }: Pick<MarginalTables, 'raw' | 'neighbours' | 'total'>,
): NumberColumn[] {
  const { counts, combined, measured, attributes } = table
  const { middle, within } = publishedOf(table, raw)
  // No count is negative, and none is above the number of records where that is public: what is impossible is cut off.
  const most = neighbours === 'replace-one' ? total : Infinity
  const end = (cell: number, side: number) => Math.min(most, Math.max(0, round(middle[cell]! + side * within)))
  const made: NumberColumn[] = [
    { name: 'count', about: aboutCount, whole: true, at: (cell) => counts[cell]! },
    { name: 'combined', about: aboutCombined, at: (cell) => combined[cell]! },
  ]
  const columns: NumberColumn[] = [
    ...(raw ? [] : made),
    { name: 'measured', about: aboutMeasured, at: (cell) => measured?.values[cell] },
    { name: 'scale', about: aboutScale, at: () => measured?.scale },
    {
      name: 'low',
      about: `${raw ? 'measured' : 'combined'}: the lower end of a 95% interval, for each cell by itself`,
      at: (cell) => end(cell, -1),
    },
    { name: 'high', about: 'the upper end', at: (cell) => end(cell, 1) },
  ]
  // An attribute may be called "count": its column keeps the name.
  const taken = new Set(attributes.map(({ name }) => name.toLowerCase()))
  return columns.map(({ name, ...rest }) => {
    let free = name
    while (taken.has(free)) free += '_'
    return { name: free, ...rest }
  })
}

const aboutCount = 'a whole number, never negative; every table adds up to the same total'
const aboutCombined =
  'the best linear estimate from all whole tables released so far and the number of records; agrees across tables, may be negative; does not use answers to other questions (ask --free uses both)'
const aboutMeasured = "the table's own noisy answer, unprocessed"
const aboutScale =
  'the noise scale of measured: b for Laplace noise, the standard deviation for Gaussian noise; if several answers were combined, the scale of one such distribution with the same variance (answers lists their own)'

/** Interval ends need no more digits. */
const round = (value: number): number => Math.round(value * 1000) / 1000

/** The labels of a cell, one per attribute, as they are to be written; null is SQL's NULL. */
export function labelsOf(
  attributes: readonly Attribute[],
  written: (label: string | null) => string,
): (cell: number) => string[] {
  const labels = attributes.map((a) => Array.from({ length: a.size }, (_, code) => written(label(a, code))))
  const steps = strides(labels.map(({ length }) => length))
  return (cell) => labels.map((list, i) => list[Math.floor(cell / steps[i]!) % list.length]!)
}
