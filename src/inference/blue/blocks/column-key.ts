import type { Factor } from '../../../query/index.ts'
import { type Column, tableOf } from '../column.ts'
import { gcd } from '../proof/fractions.ts'

/** What a column is but for a number: columns are multiples of each other if their shapes are equal. */
interface Shape {
  readonly text: string
  /** The column is so many times the one that its text describes. */
  readonly times: number
}

const shapes = new WeakMap<Factor, Shape & { readonly size: number }>()

/** Made once for a factor. No column is 1 everywhere: that is written as no column at all. */
export function shapeOf(column: Column | undefined): Shape {
  if (!column) return all
  const known = shapes.get(column.factor)
  if (known?.size === column.size) return known
  const made = { ...read(column), size: column.size }
  shapes.set(column.factor, made)
  return made
}

const all: Shape = { text: '', times: 1 }

function read(column: Column): Shape {
  if (column.interval) return { text: `${column.from}-${column.to}`, times: 1 }
  if (column.codes) return { text: `{${column.codes.join()}}`, times: 1 }
  const { codes, values } = runsOf(tableOf(column))
  const divisor = values.reduce((all, value) => gcd(all, value), 0) || 1
  const times = (values.find((value) => value !== 0) ?? 1) < 0 ? -divisor : divisor
  return { text: `[${codes.map((code, i) => `${code}:${values[i]! / times}`).join()}]`, times }
}

/** The codes where a table changes, and what it is from there on: groups of many codes have few of them. */
function runsOf(table: Float64Array): { readonly codes: readonly number[]; readonly values: readonly number[] } {
  const codes: number[] = []
  for (let code = 0; code < table.length; code++) if (code === 0 || table[code] !== table[code - 1]) codes.push(code)
  return { codes, values: codes.map((code) => table[code]!) }
}
