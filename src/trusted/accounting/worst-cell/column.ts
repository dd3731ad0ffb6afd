import type { Factor, Grouping, Indicator } from '../../../query/index.ts'
import { type Partition, PartitionBuilder, refine } from './partition.ts'

/**
 * A function of one attribute: on each class its values lie in low … high. Where these are equal, and they are
 * unless the function takes very many values, nothing is lost.
 */
export interface Column {
  readonly partition: Partition
  readonly low: Float64Array
  readonly high: Float64Array
}

/** More different values than this in one column are put into classes of neighbouring codes. */
const mostValues = 512

class ColumnBuilder {
  readonly #runs = new PartitionBuilder<number | string>()
  readonly #low: number[] = []
  readonly #high: number[] = []

  run(start: number, low: number, high = low): void {
    const label = this.#runs.run(start, low === high ? low : `${low} ${high}`)
    this.#low[label] = low
    this.#high[label] = high
  }

  build(): Column {
    return { partition: this.#runs.build(), low: new Float64Array(this.#low), high: new Float64Array(this.#high) }
  }
}

const runsOf = (f: Indicator): [from: number, to: number][] => {
  if (f.kind === 'interval') return [[f.from, f.to]]
  const runs: [number, number][] = []
  for (const code of f.codes) {
    const last = runs.at(-1)
    if (last && last[1] === code - 1) last[1] = code
    else runs.push([code, code])
  }
  return runs
}

/** 1 on the runs, which are disjoint, and 0 elsewhere. */
function indicatorColumn(runs: [number, number][], size: number): Column {
  const starts: number[] = []
  if (runs.length > 1) runs.sort((a, b) => a[0] - b[0])
  // Where one ends and the next begins at once, nothing changes.
  for (const [from, to] of runs) {
    if (starts.at(-1) === from) starts.pop()
    else starts.push(from)
    starts.push(to + 1)
  }
  if (starts.at(-1) === size) starts.pop()
  const first = starts[0] === 0 ? 1 : 0
  if (first === 0) starts.unshift(0)
  const labels = new Int32Array(starts.length)
  for (let i = 1; i < labels.length; i += 2) labels[i] = 1
  const values = new Float64Array(Math.min(2, starts.length))
  values[1 - first] = 1
  return { partition: { starts: new Int32Array(starts), labels, count: values.length }, low: values, high: values }
}

/** One code per class while that is few classes; else a width that depends on the attribute alone, so that charges agree. */
const widthFor = (values: number, size: number) => (values <= mostValues ? 1 : Math.ceil(size / mostValues))

/** from … to (both included), cut at the multiples of a width. */
function* pieces(from: number, to: number, width: number): Iterable<[from: number, to: number]> {
  for (let start = from; start <= to; ) {
    const end = Math.min(to, (Math.floor(start / width) + 1) * width - 1)
    yield [start, end]
    start = end + 1
  }
}

function valueColumn(f: Extract<Factor, { kind: 'value' }>, size: number): Column {
  const column = new ColumnBuilder()
  if (f.from > 0) column.run(0, 0)
  for (const [from, to] of pieces(f.from, f.to, widthFor(f.to - f.from + 1, size))) {
    const ends = [f.slope * from + f.shift, f.slope * to + f.shift]
    const [low, high] = [Math.min(...ends), Math.max(...ends)]
    if (f.power === 1) column.run(from, low, high)
    else
      column.run(from, low <= 0 && high >= 0 ? 0 : Math.min(low * low, high * high), Math.max(low * low, high * high))
  }
  if (f.to < size - 1) column.run(f.to + 1, 0)
  return column.build()
}

function tableColumn(values: readonly number[]): Column {
  const column = new ColumnBuilder()
  for (const [from, to] of pieces(0, values.length - 1, widthFor(new Set(values).size, values.length))) {
    let [low, high] = [values[from]!, values[from]!]
    for (let code = from + 1; code <= to; code++) {
      low = Math.min(low, values[code]!)
      high = Math.max(high, values[code]!)
    }
    column.run(from, low, high)
  }
  return column.build()
}

/** The factor over an attribute of `size` codes. */
export function factorColumn(f: Factor, size: number): Column {
  switch (f.kind) {
    case 'interval':
    case 'set':
      return indicatorColumn(runsOf(f), size)
    case 'value':
      return valueColumn(f, size)
    case 'table':
      return tableColumn(f.values)
  }
}

/** 1 on the codes that are in some group, 0 on those left out. */
export const memberColumn = (g: Grouping, size: number): Column =>
  indicatorColumn(g.groups ? g.groups.flatMap(runsOf) : [[0, size - 1]], size)

/** The product with a column that is 0 or 1 everywhere. */
export function restrict(column: Column, member: Column): Column {
  const { partition, first, second } = refine(column.partition, member.partition)
  const at = (ends: Float64Array) =>
    Float64Array.from(first, (label, c) => (member.low[second[c]!] === 1 ? ends[label]! : 0))
  return { partition, low: at(column.low), high: at(column.high) }
}
