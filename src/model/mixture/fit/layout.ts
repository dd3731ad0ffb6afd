import { groupsOfAtoms, type Partition } from '../partition.ts'
import type { GroupedMarginal, MixtureProblem } from './problem.ts'

/** Rows come in fours, which the kernel takes together; those that fill up stay 0. */
const padded = (rows: number) => 4 * Math.ceil(rows / 4)

type Run = readonly [first: number, count: number, group: number]

/** One attribute in one grouping: a row per group, a column per component. */
interface View {
  readonly attribute: number
  /** Neighbouring atoms in the same group: the first, how many, and their group; atoms in none are left out. */
  readonly runs: readonly Run[]
  /** Its first row among all views' rows. */
  readonly row: number
  readonly count: number
}
/** Two groupings at once: a row per pair of groups. Of three-way marginals alone. */
interface ProductView {
  readonly factors: readonly [View, View]
  readonly row: number
  readonly count: number
}
/** A marginal of two or three attributes: a table of `left` × `right`, padded, whose cells begin at `at`. */
interface Block {
  readonly left: View
  readonly right: View | ProductView
  readonly at: number
  readonly stride: number
}
/** A marginal of one attribute; its cells are numbered apart from those of the blocks. */
interface Line {
  readonly view: View
  readonly at: number
}

/** Where everything is: rows of views, cells of blocks and lines, and what was measured in them. */
export interface Layout {
  readonly views: readonly View[]
  readonly products: readonly ProductView[]
  readonly blocks: readonly Block[]
  readonly lines: readonly Line[]
  /** Of the views, and with the product views that follow. */
  readonly viewRows: number
  readonly rows: number
  /** By padded cell: the inverse of the variance, 0 where nothing was measured, and that times the measured value. */
  readonly weights: Float32Array
  readonly weighted: Float32Array
  /** By padded cell: the most that a difference times its weight may be. */
  readonly limits: Float32Array
  readonly lineWeights: Float32Array
  readonly lineWeighted: Float32Array
  /** Measured cells of the blocks. */
  readonly cells: number
  /** What 1/variance is multiplied by, so that the largest is 1. */
  readonly scale: number
}

/** Lays a problem out. Marginals of the same cells are one block each: they share views, not cells. */
export function layoutOf({ attributes, marginals }: MixtureProblem): Layout {
  const views: View[] = []
  const known = new Map<string, View>()
  let row = 0
  const viewOf = (attribute: number, groups: Partition): View => {
    const groupOf = groupsOfAtoms(groups, attributes[attribute]!.atoms)
    const key = `${attribute}:${groupOf.join()}`
    const found = known.get(key)
    if (found) return found
    const view = { attribute, runs: runsOf(groupOf), row, count: groups.count }
    row += padded(view.count)
    known.set(key, view)
    views.push(view)
    return view
  }
  const axes = marginals.map((marginal) => marginal.axes.map(({ attribute, groups }) => viewOf(attribute, groups)))
  const viewRows = row
  const products: ProductView[] = []
  const productOf = (factors: readonly [View, View]): ProductView => {
    const found = products.find(({ factors: [a, b] }) => a === factors[0] && b === factors[1])
    if (found) return found
    const product = { factors, row, count: factors[0].count * factors[1].count }
    row += padded(product.count)
    products.push(product)
    return product
  }
  const blocks: (Block & { readonly marginal: GroupedMarginal })[] = []
  const lines: (Line & { readonly marginal: GroupedMarginal })[] = []
  let [cells, lineCells] = [0, 0]
  for (const [m, marginal] of marginals.entries()) {
    const [first, second, third] = axes[m]!
    if (!second) {
      lines.push({ view: first!, at: lineCells, marginal })
      lineCells += first!.count
      continue
    }
    const right = third ? productOf([second, third]) : second
    const stride = padded(right.count)
    blocks.push({ left: first!, right, at: cells, stride, marginal })
    cells += padded(first!.count) * stride
  }
  const scale = 1 / marginals.reduce((most, { variance }) => Math.max(most, largestInverse(variance)), 1e-300)
  const tables = measuredCells(blocks, cells, scale)
  const rows1 = measuredCells(
    lines.map(({ view, at, marginal }) => ({ left: { count: 1 }, right: view, at, stride: view.count, marginal })),
    lineCells,
    scale,
  )
  return {
    ...{ views, products, blocks, lines, viewRows, rows: row, scale },
    ...{ weights: tables.weights, weighted: tables.weighted, limits: tables.limits },
    ...{ lineWeights: rows1.weights, lineWeighted: rows1.weighted },
    cells: blocks.reduce((sum, { left, right }) => sum + left.count * right.count, 0),
  }
}

function runsOf(groupOf: Int32Array): Run[] {
  const runs: Run[] = []
  for (let first = 0, end = 0; first < groupOf.length; first = end) {
    const group = groupOf[first]!
    for (end = first + 1; end < groupOf.length && groupOf[end] === group; ) end++
    if (group >= 0) runs.push([first, end - first, group])
  }
  return runs
}

const largestInverse = (variance: number | Float64Array): number =>
  1 / (typeof variance === 'number' ? variance : variance.reduce((least, v) => Math.min(least, v), Infinity))

interface Placed {
  readonly left: { readonly count: number }
  readonly right: { readonly count: number }
  readonly at: number
  readonly stride: number
  readonly marginal: GroupedMarginal
}

function measuredCells(placed: readonly Placed[], cells: number, scale: number) {
  const weights = new Float32Array(cells)
  const weighted = new Float32Array(cells)
  const limits = new Float32Array(cells)
  for (const { left, right, at, stride, marginal } of placed) {
    const { values, variance, mostPull = Infinity } = marginal
    for (let i = 0, cell = 0; i < left.count; i++)
      for (let j = 0; j < right.count; j++, cell++) {
        const weight = scale / (typeof variance === 'number' ? variance : variance[cell]!)
        weights[at + i * stride + j] = weight
        weighted[at + i * stride + j] = weight * Number(values[cell]!)
        limits[at + i * stride + j] = weight * mostPull
      }
  }
  return { weights, weighted, limits }
}
