import { type Column, crossSteps, crossSum, stepAt, tableOf } from '../column.ts'
import type { Weights, WeightTerm } from '../compile.ts'
import { type Block, columnAt, type View } from './block.ts'

/**
 * How much of a question tables can tell: the share of its square that is left when it is projected on a table's cells, 1
 * where these add up to it. A product over attributes, so that a view of an attribute is looked at once for all tables
 * that have it. A range and its complement have no cell in common but the end; so the overlap of corners counts as well.
 */
export class Overlaps {
  readonly #terms: readonly TermOverlaps[]

  constructor({ terms }: Weights, views: number) {
    this.#terms = terms.map((term) => new TermOverlaps(term, views))
  }

  of(block: Block): number {
    let most = 0
    for (const term of this.#terms) for (const views of block.views) most = Math.max(most, term.of(views))
    return most
  }
}

class TermOverlaps {
  readonly #term: WeightTerm
  /** What is left of the question by tables that do not look at its attributes. */
  readonly #unseen: number
  /** By the number of a view; NaN where it has not been looked at. */
  readonly #shares: Float64Array

  constructor(term: WeightTerm, views: number) {
    this.#term = term
    this.#unseen = term.columns.reduce((product, column) => product * columnOverlap(column, undefined), 1)
    this.#shares = new Float64Array(views).fill(Number.NaN)
  }

  of(views: readonly View[]): number {
    let product = this.#unseen
    for (const view of views) {
      let share = this.#shares[view.number]!
      if (Number.isNaN(share)) {
        share = this.#shareOf(view)
        this.#shares[view.number] = share
      }
      product *= share
    }
    return product
  }

  /** Over that of no view at all. */
  #shareOf({ place, axis, column: f }: View): number {
    const h = columnAt(this.#term, place)
    const alike = columnOverlap(h, f)
    const own = axis ? Math.max(alike, groupOverlap(h, f, axis)) : alike
    return own / columnOverlap(h, undefined)
  }
}

/** ⟨h, f⟩²/(⟨h, h⟩·⟨f, f⟩), by cells or by corners, whichever is more. No column is 1 everywhere. */
function columnOverlap(h: Column | undefined, f: Column | undefined): number {
  if (!h || !f) return h || f ? meanOverlap((h ?? f)!) : 1
  const byCells = ratio(crossSum(h, f), crossSum(h, h), crossSum(f, f))
  return Math.max(byCells, ratio(corners(h, f), corners(h, h), corners(f, f)))
}

/** With a column of ones, whose only corner is at code 0. */
function meanOverlap(column: Column): number {
  const byCells = ratio(column.sum, crossSum(column, column), column.size)
  return Math.max(byCells, ratio(stepAt(column, 0), corners(column, column), 1))
}

function corners(g: Column, h: Column): number {
  if (!g.interval || !h.interval) return crossSteps(g, h) + stepAt(g, 0) * stepAt(h, 0)
  // Of ranges: where both begin, and where both end, if that is not the last code.
  const ends = g.to === h.to && g.to + 1 < g.size ? 1 : 0
  return (g.from === h.from ? 1 : 0) + ends - (g.from === h.to + 1 ? 1 : 0) - (h.from === g.to + 1 ? 1 : 0)
}

const ratio = (product: number, x: number, y: number): number => (x > 0 && y > 0 ? (product * product) / x / y : 0)

/** Σ over groups of ⟨h, f·group⟩²/⟨f·group, f·group⟩, over ⟨h, h⟩. */
function groupOverlap(h: Column | undefined, f: Column | undefined, axis: NonNullable<View['axis']>): number {
  const { ranges } = axis
  if (ranges && !f && (!h || h.interval)) {
    const { from, to } = h ?? { from: 0, to: axis.codes - 1 }
    const width = Math.max(0, to - from + 1)
    return ranges.reduce((sum, range) => {
      const common = Math.max(0, Math.min(to, range.to) - Math.max(from, range.from) + 1)
      return sum + ratio(common, range.to - range.from + 1, width)
    }, 0)
  }
  const { groupOf } = axis
  const [x, y] = [h && tableOf(h), f && tableOf(f)]
  const [products, squares] = [new Float64Array(axis.groups), new Float64Array(axis.groups)]
  let square = 0
  for (let code = 0; code < axis.codes; code++) {
    const [asked, own, group] = [x ? x[code]! : 1, y ? y[code]! : 1, groupOf[code]!]
    square += asked * asked
    if (group < 0) continue
    products[group]! += asked * own
    squares[group]! += own * own
  }
  return products.reduce((sum, product, group) => sum + ratio(product, squares[group]!, square), 0)
}
