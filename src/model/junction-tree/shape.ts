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

/** How many attributes two cliques share: both are ascending. */
function overlap(a: readonly number[], b: readonly number[]): number {
  let count = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i]!, b[j]!]
    if (x === y) count++
    if (x <= y) i++
    if (y <= x) j++
  }
  return count
}

/**
 * Joins the cliques of a connected chordal graph: a spanning tree whose separators are as large as possible has
 * the running intersection (Prim's algorithm).
 */
export function joinCliques(cliques: readonly (readonly number[])[], sizes: Sizes): TreeShape {
  const edges: Edge[] = []
  const edgesAt: number[][] = cliques.map(() => [])
  const parents = new Int32Array(cliques.length).fill(-1)
  const depths = new Int32Array(cliques.length)
  /** Of each clique: the clique of the tree that it shares most with, and how much that is; the latter -1 once it is in the tree. */
  const nearest = new Int32Array(cliques.length)
  const most = Int32Array.from(cliques, (clique) => overlap(clique, cliques[0]!))
  most[0] = -1
  for (let left = cliques.length - 1; left > 0; left--) {
    let next = 0
    for (let c = 1; c < cliques.length; c++) if (most[c]! > most[next]!) next = c
    most[next] = -1
    const end = nearest[next]!
    const separator = shared(cliques[next]!, cliques[end]!)
    const onto = (c: number) => projectionOnto(cliques[c]!, separator, sizes)
    parents[next] = edges.length
    depths[next] = depths[end]! + 1
    for (const c of [end, next]) edgesAt[c]!.push(edges.length)
    edges.push({ ends: [end, next], separator, projections: [onto(end), onto(next)] })
    for (let c = 1; c < cliques.length; c++) {
      if (most[c]! < 0) continue
      const common = overlap(cliques[c]!, cliques[next]!)
      if (common > most[c]!) [nearest[c], most[c]] = [next, common]
    }
  }
  return { cliques, edges, parents, depths, edgesAt }
}

/** The clique at the other end of an edge. */
export const otherEnd = ({ ends }: Edge, clique: number): number => (ends[0] === clique ? ends[1] : ends[0])
