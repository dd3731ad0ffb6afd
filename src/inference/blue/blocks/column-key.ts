import { type Factor, factorTable } from '../../../query/index.ts'
import { type Column, shortStepsOf } from '../column.ts'
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
  if (column.codes) return { text: `{${rangesOf(column.codes).join()}}`, times: 1 }
  // Differences have the same common divisor as the numbers, and begin with the same sign. Of values that rise evenly there are few.
  const { codes, steps, times: order } = shortStepsOf(factorTable(column.factor, column.size))
  const divisor = steps.reduce((all, step) => gcd(all, step), 0) || 1
  const times = (steps[0] ?? 1) < 0 ? -divisor : divisor
  return { text: `${order}[${codes.map((code, i) => `${code}:${steps[i]! / times}`).join()}]`, times }
}

/** Sets of many codes are often few ranges. */
function rangesOf(codes: readonly number[]): string[] {
  const ranges: string[] = []
  for (let k = 0, from = 0; k < codes.length; k++)
    if (codes[k + 1] !== codes[k]! + 1) {
      ranges.push(from === k ? `${codes[k]}` : `${codes[from]}-${codes[k]}`)
      from = k + 1
    }
  return ranges
}
