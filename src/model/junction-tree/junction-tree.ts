import type { Projection } from '../dense/projection.ts'
import { calibrate } from './calibrate.ts'
import { otherEnd, type TreeShape } from './shape.ts'
import { cellsOver, projectionOnto, type Sizes, type Table } from './table.ts'

/**
 * A distribution that is a product of factors, each over attributes of one clique, kept as Π cliques / Π separators.
 * The clique in focus holds its own marginal. Moving the focus passes one message per edge on the way, so changing
 * neighbouring cliques in turns never costs the whole tree. Proof: docs/algorithms/junction-tree.md
 */
export class JunctionTree {
  readonly shape: TreeShape
  readonly sizes: Sizes
  readonly #cliques: Float64Array[]
  readonly #separators: Float64Array[]
  /** As long as each separator: messages are made there, and there are very many. */
  readonly #spare: Float64Array[]
  /** Edges that a move of the focus goes down. */
  readonly #way: Int32Array
  #focus = 0
  #settled = true

  /** The factors are given by their logarithms. */
  constructor(shape: TreeShape, sizes: Sizes, logs: readonly Table[]) {
    this.shape = shape
    this.sizes = sizes
    this.#cliques = shape.cliques.map((clique) => new Float64Array(cellsOver(clique, sizes)))
    for (const { attributes, values } of logs) {
      const clique = this.cliqueWith(attributes)
      this.projection(clique, attributes).add(this.#cliques[clique]!, values)
    }
    this.#separators = calibrate(shape, this.#cliques, sizes).separators
    this.#spare = this.#separators.map(({ length }) => new Float64Array(length))
    this.#way = new Int32Array(shape.edges.length)
  }

  /** The smallest clique that holds all of these attributes; -1 where there is none. */
  cliqueWith(attributes: readonly number[]): number {
    let best = -1
    let fewest = Number.POSITIVE_INFINITY
    for (const [c, clique] of this.shape.cliques.entries()) {
      const cells = this.#cliques[c]!.length
      if (cells < fewest && attributes.every((a) => clique.includes(a))) [best, fewest] = [c, cells]
    }
    return best
  }

  projection(clique: number, onto: readonly number[]): Projection {
    return projectionOnto(this.shape.cliques[clique]!, onto, this.sizes)
  }

  /** The marginal of a clique: the tree's own array, which holds until the tree is asked or changed again. */
  at(clique: number): Float64Array {
    if (!this.#settled) this.#moveTo(clique)
    return this.#cliques[clique]!
  }

  /** Multiplies the distribution by positive factors over cells that a clique's fall in. */
  multiply(clique: number, factors: Float64Array, onto: Projection): void {
    this.#moveTo(clique)
    rescale(this.#cliques[clique]!, onto.multiply(this.#cliques[clique]!, factors))
    this.#settled = false
  }

  /** Lets every clique and separator hold its marginal. */
  settle(): void {
    if (this.#settled) return
    const { edges, edgesAt } = this.shape
    const visit = (clique: number, from: number) => {
      for (const e of edgesAt[clique]!) {
        if (e === from) continue
        this.#pass(e, clique)
        visit(otherEnd(edges[e]!, clique), e)
      }
    }
    visit(this.#focus, -1)
    this.#settled = true
  }

  /** The marginal of a separator, once the tree is settled. */
  separator(edge: number): Float64Array {
    return this.#separators[edge]!
  }

  #moveTo(clique: number): void {
    if (this.#settled) this.#focus = clique
    if (this.#focus === clique) return
    const { edges, parents, depths } = this.shape
    const way = this.#way
    let down = 0
    let at = clique
    while (this.#focus !== at) {
      if (depths[this.#focus]! >= depths[at]!) {
        const e = parents[this.#focus]!
        this.#pass(e, this.#focus)
        this.#focus = edges[e]!.ends[0]
      } else {
        way[down++] = parents[at]!
        at = edges[parents[at]!]!.ends[0]
      }
    }
    while (down > 0) {
      const e = way[--down]!
      this.#pass(e, edges[e]!.ends[0])
    }
    this.#focus = clique
  }

  /** Tells the clique at the other end of an edge what this one knows about their separator. */
  #pass(e: number, from: number): void {
    const { ends, projections } = this.shape.edges[e]!
    const side = ends[0] === from ? 0 : 1
    const known = this.#separators[e]!
    const fresh = this.#spare[e]!.fill(0)
    projections[side].addTo(fresh, this.#cliques[from]!)
    for (let s = 0; s < known.length; s++) known[s] = known[s]! > 0 ? fresh[s]! / known[s]! : 0
    projections[1 - side]!.multiply(this.#cliques[ends[1 - side]!]!, known)
    this.#separators[e] = fresh
    this.#spare[e] = known
  }
}

function rescale(table: Float64Array, total: number): void {
  for (let i = 0; i < table.length; i++) table[i]! /= total
}
