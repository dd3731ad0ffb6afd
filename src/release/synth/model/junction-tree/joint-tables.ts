import type { JunctionTree } from './junction-tree.ts'
import { otherEnd } from './shape.ts'

/**
 * The joint distributions of one attribute with every other one of the tree: a table per attribute, its codes running
 * fastest. One walk through the tree tells all of them, where each by itself would take a walk of its own.
 */
export function jointTables(tree: JunctionTree, attribute: number): Map<number, Float64Array> {
  tree.settle()
  const start = tree.cliqueWith([attribute])
  const tables = new Map<number, Float64Array>()
  visit(tree, attribute, tables, start, -1, undefined)
  return tables
}

/** `given`: how likely each code of the attribute is, by the cell of the separator that the walk came across; one row per code. */
function visit(
  tree: JunctionTree,
  attribute: number,
  tables: Map<number, Float64Array>,
  clique: number,
  via: number,
  given: readonly Float64Array[] | undefined,
): void {
  const { cliques, edges, edgesAt } = tree.shape
  const slices = slicesOf(tree, attribute, clique, via, given)
  for (const b of cliques[clique]!) {
    if (b === attribute || tables.has(b)) continue
    const onto = tree.projection(clique, [b])
    tables.set(b, joined(slices.map((slice) => onto.sum(slice))))
  }
  for (const e of edgesAt[clique]!) {
    if (e === via) continue
    const { separator, ends, projections } = edges[e]!
    const onto = projections[ends[0] === clique ? 0 : 1]
    const masses = tree.separator(e)
    const next = separator.includes(attribute)
      ? undefined
      : slices.map((slice) => onto.sum(slice).map((mass, s) => (masses[s]! > 0 ? mass / masses[s]! : 0)))
    visit(tree, attribute, tables, otherEnd(edges[e]!, clique), e, next)
  }
}

/** The marginal of a clique, cut up by the code of the attribute. */
function slicesOf(
  tree: JunctionTree,
  attribute: number,
  clique: number,
  via: number,
  given: readonly Float64Array[] | undefined,
): Float64Array[] {
  const { edges } = tree.shape
  const codes = [...Array(tree.sizes[attribute]!).keys()]
  const rows = given ?? codes.map((code) => Float64Array.from(codes, (other) => Number(other === code)))
  const onto = given
    ? edges[via]!.projections[edges[via]!.ends[0] === clique ? 0 : 1]
    : tree.projection(clique, [attribute])
  return rows.map((row) => {
    const slice = tree.at(clique).slice()
    onto.multiply(slice, row)
    return slice
  })
}

function joined(rows: readonly Float64Array[]): Float64Array {
  const table = new Float64Array(rows.length * rows[0]!.length)
  for (const [code, row] of rows.entries()) table.set(row, code * row.length)
  return table
}
