import { dot } from '../../numeric/index.ts'
import { tableOf } from '../blue/column.ts'
import type { AttributePrior } from './prior/prior.ts'
import type { PriorColumn } from './prior/prior-column.ts'

/** A product of columns, one per axis of the table, times a number. */
interface Product {
  readonly coefficient: number
  readonly columns: readonly PriorColumn[]
}

/** A function of a few attributes as a table over their codes, the last one running fastest, with its means under the prior. */
export class JointTable {
  readonly #priors: readonly AttributePrior[]
  readonly #table: Float64Array
  /** By the axes that are kept, a bit for each: means over all others; and the same times the prior of those kept. */
  readonly #means = new Map<number, { readonly plain: Float64Array; readonly weighted: Float64Array }>()

  /** The sum of these products. */
  constructor(products: readonly Product[], priors: readonly AttributePrior[]) {
    this.#priors = priors
    this.#table = new Float64Array(priors.reduce((cells, { size }) => cells * size, 1))
    for (const { coefficient, columns } of products) addProduct(this.#table, coefficient, columns.map(valuesOf))
  }

  get mean(): number {
    return this.#over(0).plain[0]!
  }

  /** The mean of the product with another table, of which the axes in `otherMask` are those in `mask` here, in order. */
  times(other: JointTable, mask: number, otherMask: number): number {
    return dot(this.#over(mask).weighted, other.#over(otherMask).plain)
  }

  /** The mean of the product with columns of the axes in `mask`. */
  against(columns: readonly PriorColumn[], mask: number): number {
    let table = this.#over(mask).weighted
    for (const column of columns.toReversed()) {
      const values = valuesOf(column)
      const rows = table.length / values.length
      table = Float64Array.from({ length: rows }, (_, row) =>
        dot(table.subarray(row * values.length, (row + 1) * values.length), values),
      )
    }
    return table[0]!
  }

  #over(mask: number) {
    const known = this.#means.get(mask)
    if (known) return known
    const kept = this.#priors.filter((_, axis) => mask & (1 << axis))
    let plain = this.#table
    for (let axis = this.#priors.length - 1, inner = 1; axis >= 0; axis--) {
      if (mask & (1 << axis)) inner *= this.#priors[axis]!.size
      else plain = averaged(plain, this.#priors[axis]!, inner)
    }
    const weighted = plain.slice()
    for (let axis = kept.length - 1, inner = 1; axis >= 0; inner *= kept[axis--]!.size)
      for (let cell = 0; cell < weighted.length; cell++)
        weighted[cell]! *= shareAt(kept[axis]!, Math.floor(cell / inner) % kept[axis]!.size)
    const made = { plain, weighted }
    this.#means.set(mask, made)
    return made
  }
}

const valuesOf = ({ column }: PriorColumn): Float64Array => tableOf(column)

const shareAt = ({ shares, size }: AttributePrior, code: number): number => (shares ? shares[code]! : 1 / size)

function addProduct(table: Float64Array, coefficient: number, columns: readonly Float64Array[]): void {
  const walk = (axis: number, value: number, start: number): void => {
    const column = columns[axis]!
    const isLast = axis === columns.length - 1
    for (let code = 0; code < column.length; code++) {
      if (column[code] === 0) continue
      if (isLast) table[start + code]! += value * column[code]!
      else walk(axis + 1, value * column[code]!, (start + code) * columns[axis + 1]!.length)
    }
  }
  walk(0, coefficient, 0)
}

/** The mean over one axis, of which neighbouring codes are `inner` cells apart. */
function averaged(table: Float64Array, prior: AttributePrior, inner: number): Float64Array {
  const result = new Float64Array(table.length / prior.size)
  for (let cell = 0; cell < table.length; cell++) {
    const [code, rest] = [Math.floor(cell / inner) % prior.size, cell % inner]
    result[Math.floor(cell / (inner * prior.size)) * inner + rest]! += shareAt(prior, code) * table[cell]!
  }
  return result
}
