import type { Work } from '../work.ts'
import type { Ranges } from './ranges.ts'

/**
 * A set of cells as a decision diagram: each node asks for the code of one attribute and goes on to the child that the
 * code belongs to. Attributes come in a fixed order, equal nodes are one object and neighbouring pieces differ, so that
 * a set of cells has exactly one diagram.
 */
export interface Diagram {
  readonly id: number
  /** Position of its attribute in the order; Infinity at the two ends. */
  readonly level: number
  /** Number of the attribute's codes. */
  readonly size: number
  /** The codes starts[i] … starts[i + 1] - 1 go on to children[i]. */
  readonly starts: readonly number[]
  readonly children: readonly Diagram[]
}

const end = (id: number): Diagram => ({ id, level: Number.POSITIVE_INFINITY, size: 0, starts: [], children: [] })
export const nowhere: Diagram = end(0)
export const everywhere: Diagram = end(1)

/** What making a node costs beside its pieces, in steps: looking it up. */
const nodeSteps = 12

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
    const starts = [0]
    const children = [nowhere]
    for (let i = 0; i < codes.length; i += 2) {
      starts.push(codes[i]!, codes[i + 1]! + 1)
      children.push(everywhere, nowhere)
    }
    return this.#node(level, starts, children)
  }

  /** The cells of several attributes, at these levels, whose entry in a table is `wanted`; the last runs fastest. */
  table(levels: readonly number[], entries: Int8Array, wanted: number): Diagram {
    // Steps here are far cheaper than those of joining diagrams.
    this.#work.take(Math.ceil(entries.length / 16))
    const strides = levels.map((_, i) => levels.slice(i + 1).reduce((n, level) => n * this.#sizes[level]!, 1))
    const order = [...levels.keys()].sort((a, b) => levels[a]! - levels[b]!)
    const below = (depth: number, offset: number): Diagram => {
      const axis = order[depth]
      if (axis === undefined) return entries[offset] === wanted ? everywhere : nowhere
      const starts: number[] = []
      const children: Diagram[] = []
      for (let code = 0; code < this.#sizes[levels[axis]!]!; code++) {
        const child = below(depth + 1, offset + code * strides[axis]!)
        if (child === children.at(-1)) continue
        starts.push(code)
        children.push(child)
      }
      return this.#node(levels[axis]!, starts, children)
    }
    return below(0, 0)
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
      const children = a.children.map((child) => this.not(child))
      result = this.#node(a.level, a.starts, children)
      this.#memo.set(key, result)
    }
    return result
  }

  /** Walks the pieces of both at once. */
  #apply(operation: 'and' | 'or', a: Diagram, b: Diagram): Diagram {
    const [first, second] = a.id < b.id ? [a, b] : [b, a]
    const key = `${operation} ${first.id} ${second.id}`
    const known = this.#memo.get(key)
    if (known) return known
    const level = Math.min(a.level, b.level)
    const [left, right] = [pieces(first, level), pieces(second, level)]
    const starts: number[] = []
    const children: Diagram[] = []
    for (let i = 0, j = 0; i < left.starts.length && j < right.starts.length; ) {
      starts.push(Math.max(left.starts[i]!, right.starts[j]!))
      children.push(this[operation](left.children[i]!, right.children[j]!))
      const [nextLeft, nextRight] = [left.starts[i + 1] ?? Infinity, right.starts[j + 1] ?? Infinity]
      if (nextLeft <= nextRight) i++
      if (nextRight <= nextLeft) j++
    }
    const result = this.#node(level, starts, children)
    this.#memo.set(key, result)
    return result
  }

  /** The one node with these pieces: empty ones dropped, equal neighbours joined. */
  #node(level: number, from: readonly number[], to: readonly Diagram[]): Diagram {
    this.#work.take(nodeSteps + from.length)
    const size = this.#sizes[level]!
    const starts: number[] = []
    const children: Diagram[] = []
    for (let i = 0; i < from.length; i++) {
      const empty = from[i]! >= (from[i + 1] ?? size)
      if (empty || to[i] === children.at(-1)) continue
      starts.push(from[i]!)
      children.push(to[i]!)
    }
    if (children.length === 1) return children[0]!
    const key = `${level};${starts.join()};${children.map((child) => child.id).join()}`
    this.#work.take(starts.length)
    let node = this.#unique.get(key)
    if (!node) {
      node = { id: this.#unique.size + 2, level, size, starts, children }
      this.#unique.set(key, node)
    }
    return node
  }
}

/** The pieces at a level; a diagram that does not look there has one for all codes. */
const pieces = (a: Diagram, level: number): Pick<Diagram, 'starts' | 'children'> =>
  a.level === level ? a : { starts: [0], children: [a] }

/** Number of paths to `everywhere`: how many disjoint product terms the diagram stands for. */
export function pathCount(diagram: Diagram, memo = new Map<Diagram, number>()): number {
  if (diagram === nowhere) return 0
  if (diagram === everywhere) return 1
  let paths = memo.get(diagram)
  if (paths === undefined) {
    paths = [...new Set(diagram.children)].reduce((sum, child) => sum + pathCount(child, memo), 0)
    memo.set(diagram, paths)
  }
  return paths
}

/** The levels that the diagram looks at. */
export function levelsOf(diagram: Diagram, seen = new Set<Diagram>(), levels = new Set<number>()): Set<number> {
  if (diagram === nowhere || diagram === everywhere || seen.has(diagram)) return levels
  seen.add(diagram)
  levels.add(diagram.level)
  for (const child of diagram.children) levelsOf(child, seen, levels)
  return levels
}

/** Every path to `everywhere`, as the codes it allows on each level that it looks at. Call pathCount before. */
export function* pathsOf(
  diagram: Diagram,
  prefix: readonly (readonly [number, Ranges])[] = [],
): Iterable<readonly (readonly [number, Ranges])[]> {
  if (diagram === everywhere) yield prefix
  else for (const [child, codes] of edgesOf(diagram)) yield* pathsOf(child, [...prefix, [diagram.level, codes]])
}

/** The codes that lead to each child. */
function edgesOf({ starts, children, size }: Diagram): Map<Diagram, Ranges> {
  const edges = new Map<Diagram, number[]>()
  for (const [i, child] of children.entries()) {
    const codes = edges.get(child) ?? []
    codes.push(starts[i]!, (starts[i + 1] ?? size) - 1)
    edges.set(child, codes)
  }
  return edges
}
