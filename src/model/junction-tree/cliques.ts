import { cellsOver, type Sizes } from './table.ts'

type Neighbours = Map<number, Set<number>>

function graphOf(sets: readonly (readonly number[])[]): Neighbours {
  const graph: Neighbours = new Map()
  for (const set of sets) {
    for (const a of set) {
      const near = graph.get(a) ?? new Set()
      graph.set(a, near)
      for (const b of set) if (b !== a) near.add(b)
    }
  }
  return graph
}

/** So many pairs of neighbours are not neighbours of each other yet. */
function fillOf(graph: Neighbours, near: ReadonlySet<number>): number {
  let missing = 0
  for (const a of near) {
    const others = graph.get(a)!
    for (const b of near) if (b > a && !others.has(b)) missing++
  }
  return missing
}

/** Takes an attribute out and makes its neighbours neighbours of each other. */
function eliminate(graph: Neighbours, attribute: number): number[] {
  const near = [...graph.get(attribute)!]
  graph.delete(attribute)
  for (const a of near) {
    const others = graph.get(a)!
    others.delete(attribute)
    for (const b of near) if (b !== a) others.add(b)
  }
  return [attribute, ...near].sort((a, b) => a - b)
}

/** The attribute whose elimination joins the fewest pairs; among equals the one with the smallest clique, then the first. */
function cheapest(graph: Neighbours, sizes: Sizes): number {
  let best = -1
  let bestFill = Number.POSITIVE_INFINITY
  let bestCells = Number.POSITIVE_INFINITY
  for (const [attribute, near] of graph) {
    const fill = fillOf(graph, near)
    if (fill > bestFill) continue
    const cells = cellsOver([attribute, ...near], sizes)
    if (fill < bestFill || cells < bestCells) [best, bestFill, bestCells] = [attribute, fill, cells]
  }
  return best
}

/**
 * Attribute sets, each ascending, that contain all given sets and are the cliques of a chordal graph: such sets can be
 * joined to a tree. Found by eliminating attributes one by one, least fill first. No clique contains another.
 */
export function cliquesOf(sets: readonly (readonly number[])[], sizes: Sizes): number[][] {
  const graph = graphOf(sets)
  const cliques: { members: Set<number>; clique: number[] }[] = []
  while (graph.size > 0) {
    const clique = eliminate(graph, cheapest(graph, sizes))
    // A later clique holds no attribute that went before, so it can only be contained, never contain.
    if (!cliques.some(({ members }) => clique.every((a) => members.has(a))))
      cliques.push({ members: new Set(clique), clique })
  }
  return cliques.map(({ clique }) => clique)
}
