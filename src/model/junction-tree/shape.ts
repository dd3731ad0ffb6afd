import type { Projection } from '../dense/projection.ts'
import { projectionOnto, type Sizes } from './table.ts'

/** Two neighbouring cliques, the attributes that they share, and how their cells fall in those. */
interface Edge {
  readonly ends: readonly [number, number]
  readonly separator: readonly number[]
  readonly projections: readonly [Projection, Projection]
}

/**
 * Cliques joined to a tree in which the cliques that hold an attribute are connected. The first clique is its root; an
 * edge goes from a clique to one that is further from it, and edges nearer to the root come first.
 */
export interface TreeShape {
  readonly cliques: readonly (readonly number[])[]
  readonly edges: readonly Edge[]
  /** The edge towards the root at each clique, -1 at the root itself, and how many there are on the way. */
  readonly parents: Int32Array
  readonly depths: Int32Array
  /** The edges at each clique. */
  readonly edgesAt: readonly (readonly number[])[]
}

const shared = (a: readonly number[], b: readonly number[]): number[] => a.filter((x) => b.includes(x))

/**
 * Joins the cliques of a connected chordal graph: a spanning tree whose separators are as large as possible has
 * the running intersection (Prim's algorithm).
 */
export function joinCliques(cliques: readonly (readonly number[])[], sizes: Sizes): TreeShape {
  const edges: Edge[] = []
  const edgesAt: number[][] = cliques.map(() => [])
  const parents = new Int32Array(cliques.length).fill(-1)
  const depths = new Int32Array(cliques.length)
  const nearest = cliques.map((clique) => ({ end: 0, separator: shared(clique, cliques[0]!) }))
  const outside = new Set(cliques.keys())
  outside.delete(0)
  while (outside.size > 0) {
    let next = -1
    for (const c of outside) if (next < 0 || nearest[c]!.separator.length > nearest[next]!.separator.length) next = c
    outside.delete(next)
    const { end, separator } = nearest[next]!
    const onto = (c: number) => projectionOnto(cliques[c]!, separator, sizes)
    parents[next] = edges.length
    depths[next] = depths[end]! + 1
    for (const c of [end, next]) edgesAt[c]!.push(edges.length)
    edges.push({ ends: [end, next], separator, projections: [onto(end), onto(next)] })
    for (const c of outside) {
      const common = shared(cliques[c]!, cliques[next]!)
      if (common.length > nearest[c]!.separator.length) nearest[c] = { end: next, separator: common }
    }
  }
  return { cliques, edges, parents, depths, edgesAt }
}

/** The clique at the other end of an edge. */
export const otherEnd = ({ ends }: Edge, clique: number): number => (ends[0] === clique ? ends[1] : ends[0])
