import { complement, everything, intersect, type Ranges, unite } from './ranges.ts'
import type { Work } from './work.ts'

/**
 * A set of cells as a decision diagram: each node asks for the code of one attribute and goes on to the child whose
 * codes contain it. Attributes come in a fixed order, equal nodes are one object, and the codes of a node that lead
 * to the same child are one edge, so that a set of cells has exactly one diagram.
 */
export interface Diagram {
  readonly id: number
  /** Position of its attribute in the order; Infinity at the two ends. */
  readonly level: number
  readonly edges: readonly Edge[]
}
export interface Edge {
  readonly codes: Ranges
  readonly child: Diagram
}

export const nowhere: Diagram = { id: 0, level: Number.POSITIVE_INFINITY, edges: [] }
export const everywhere: Diagram = { id: 1, level: Number.POSITIVE_INFINITY, edges: [] }

/** Operations on diagrams over attributes of these sizes, in this order; every step is taken from `work`. */
export class Diagrams {
  readonly #sizes: readonly number[]
  readonly #work: Work
  readonly #unique = new Map<string, Diagram>()
  readonly #memo = new Map<string, Diagram>()

  constructor(sizes: readonly number[], work: Work) {
    this.#sizes = sizes
    this.#work = work
  }

  /** The cells whose attribute at this level has one of the codes. */
  leaf(level: number, codes: Ranges): Diagram {
    const rest = complement(codes, this.#sizes[level]!)
    return this.#node(level, [
      { codes, child: everywhere },
      { codes: rest, child: nowhere },
    ])
  }

  and(a: Diagram, b: Diagram): Diagram {
    if (a === nowhere || b === nowhere) return nowhere
    if (a === everywhere || a === b) return b
    if (b === everywhere) return a
    return this.#apply('and', a, b)
  }

  or(a: Diagram, b: Diagram): Diagram {
    if (a === everywhere || b === everywhere) return everywhere
    if (a === nowhere || a === b) return b
    if (b === nowhere) return a
    return this.#apply('or', a, b)
  }

  not(a: Diagram): Diagram {
    if (a === nowhere) return everywhere
    if (a === everywhere) return nowhere
    const key = `not ${a.id}`
    let result = this.#memo.get(key)
    if (!result) {
      result = this.#node(
        a.level,
        a.edges.map(({ codes, child }) => ({ codes, child: this.not(child) })),
      )
      this.#memo.set(key, result)
    }
    return result
  }

  #apply(operation: 'and' | 'or', a: Diagram, b: Diagram): Diagram {
    const [first, second] = a.id < b.id ? [a, b] : [b, a]
    const key = `${operation} ${first.id} ${second.id}`
    const known = this.#memo.get(key)
    if (known) return known
    const level = Math.min(a.level, b.level)
    const edges: Edge[] = []
    for (const left of this.#edges(first, level))
      for (const right of this.#edges(second, level)) {
        this.#work.take(left.codes.length + right.codes.length + 1)
        const codes = intersect(left.codes, right.codes)
        if (codes.length > 0) edges.push({ codes, child: this[operation](left.child, right.child) })
      }
    const result = this.#node(level, edges)
    this.#memo.set(key, result)
    return result
  }

  /** The edges at a level; a diagram that does not look there has one for all codes. */
  #edges(a: Diagram, level: number): readonly Edge[] {
    return a.level === level ? a.edges : [{ codes: everything(this.#sizes[level]!), child: a }]
  }

  /** The one node with these edges, those to the same child joined. */
  #node(level: number, edges: readonly Edge[]): Diagram {
    const byChild = new Map<Diagram, Ranges>()
    for (const { codes, child } of edges) {
      if (codes.length === 0) continue
      this.#work.take(codes.length)
      byChild.set(child, unite(byChild.get(child) ?? [], codes))
    }
    if (byChild.size === 1) return byChild.keys().next().value!
    const joined = [...byChild].map(([child, codes]) => ({ codes, child })).sort((a, b) => a.codes[0]! - b.codes[0]!)
    const key = `${level};${joined.map(({ codes, child }) => `${codes.join()}>${child.id}`).join(';')}`
    this.#work.take(key.length)
    let node = this.#unique.get(key)
    if (!node) {
      node = { id: this.#unique.size + 2, level, edges: joined }
      this.#unique.set(key, node)
    }
    return node
  }
}

/** Number of paths to `everywhere`: how many disjoint product terms the diagram stands for. */
export function pathCount(diagram: Diagram, memo = new Map<Diagram, number>()): number {
  if (diagram === nowhere) return 0
  if (diagram === everywhere) return 1
  let paths = memo.get(diagram)
  if (paths === undefined) {
    paths = diagram.edges.reduce((sum, { child }) => sum + pathCount(child, memo), 0)
    memo.set(diagram, paths)
  }
  return paths
}

/** The levels that the diagram looks at. */
export function levelsOf(diagram: Diagram, seen = new Set<Diagram>(), levels = new Set<number>()): Set<number> {
  if (diagram === nowhere || diagram === everywhere || seen.has(diagram)) return levels
  seen.add(diagram)
  levels.add(diagram.level)
  for (const { child } of diagram.edges) levelsOf(child, seen, levels)
  return levels
}

/** Every path to `everywhere`, as the codes it allows on each level that it looks at. Call pathCount before. */
export function* pathsOf(
  diagram: Diagram,
  prefix: readonly (readonly [number, Ranges])[] = [],
): Iterable<readonly (readonly [number, Ranges])[]> {
  if (diagram === everywhere) yield prefix
  else for (const { codes, child } of diagram.edges) yield* pathsOf(child, [...prefix, [diagram.level, codes]])
}
