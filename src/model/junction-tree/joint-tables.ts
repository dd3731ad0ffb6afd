import type { JunctionTree } from './junction-tree.ts'
import { otherEnd } from './shape.ts'
import { cellIndex } from './table.ts'

/**
 * The joint distributions of pairs of attributes. One walk through the tree tells all pairs with one attribute, where each by
 * itself would take a walk of its own; and what a walk needs of a clique is added up once for all walks. Holds until the tree changes.
 */
export class JointTables {
  readonly #tree: JunctionTree
  readonly #narrowed = new Map<string, Float64Array>()

  constructor(tree: JunctionTree) {
    tree.settle()
    this.#tree = tree
  }

  /** A table per other attribute of the tree, whose codes run fastest. */
  with(attribute: number): Map<number, Float64Array> {
    const tables = new Map<number, Float64Array>()
    this.#visitHolder(attribute, tables, this.#tree.cliqueWith([attribute]), -1)
    return tables
  }

  /** A clique that holds the attribute itself. */
  #visitHolder(attribute: number, tables: Map<number, Float64Array>, clique: number, via: number): void {
    const { cliques, edges, edgesAt } = this.#tree.shape
    for (const b of cliques[clique]!)
      if (b !== attribute && !tables.has(b)) tables.set(b, this.#over(clique, [attribute, b]))
    for (const e of edgesAt[clique]!) {
      if (e === via) continue
      const { separator } = edges[e]!
      const next = otherEnd(edges[e]!, clique)
      if (separator.includes(attribute)) this.#visitHolder(attribute, tables, next, e)
      else this.#visit(attribute, tables, next, e, this.#given(this.#over(clique, [attribute, ...separator]), e))
    }
  }

  /** `given`: how likely each code of the attribute is, given the cell of the separator that the walk came across; a row per code. */
  #visit(attribute: number, tables: Map<number, Float64Array>, clique: number, via: number, given: Float64Array): void {
    const { cliques, edges, edgesAt } = this.#tree.shape
    for (const b of cliques[clique]!) if (!tables.has(b)) tables.set(b, this.#carried(clique, via, given, [b]))
    for (const e of edgesAt[clique]!) {
      if (e === via) continue
      const joint = this.#carried(clique, via, given, edges[e]!.separator)
      this.#visit(attribute, tables, otherEnd(edges[e]!, clique), e, this.#given(joint, e))
    }
  }

  /** The joint table of the attribute, given a separator, and other attributes of the clique beyond it. */
  #carried(clique: number, via: number, given: Float64Array, onto: readonly number[]): Float64Array {
    const { sizes, shape } = this.#tree
    const { separator } = shape.edges[via]!
    const kept = [...separator, ...onto.filter((a) => !separator.includes(a))]
    const masses = this.#over(clique, kept)
    const places = cellIndex(kept, onto, sizes)
    const conditions = this.#tree.separator(via).length
    const width = onto.reduce((cells, a) => cells * sizes[a]!, 1)
    const inner = masses.length / conditions
    const joint = new Float64Array((given.length / conditions) * width)
    for (let row = 0; row * conditions < given.length; row++)
      for (let s = 0, cell = 0; s < conditions; s++) {
        const share = given[row * conditions + s]!
        for (let i = 0; i < inner; i++, cell++) joint[row * width + places[cell]!]! += share * masses[cell]!
      }
    return joint
  }

  /** A joint table with a separator, divided by what the separator's cells have. */
  #given(joint: Float64Array, edge: number): Float64Array {
    const masses = this.#tree.separator(edge)
    return joint.map((share, i) => {
      const mass = masses[i % masses.length]!
      return mass > 0 ? share / mass : 0
    })
  }

  /** The marginal of a clique over some of its attributes. */
  #over(clique: number, attributes: readonly number[]): Float64Array {
    const key = `${clique}: ${attributes}`
    const known = this.#narrowed.get(key)
    if (known) return known
    const table = this.#tree.projection(clique, attributes).sum(this.#tree.at(clique))
    this.#narrowed.set(key, table)
    return table
  }
}
