import { cellsOver, cliquesOf, type Sizes } from '../junction-tree/index.ts'
import { type AttributeSets, cellsOf, Part } from './part.ts'

export interface Limits {
  /** Of all cliques of one part together. */
  readonly cells: number
  /** A part of at most so many cells is one table; a larger one is a junction tree. */
  readonly tableCells: number
}

/** One part instead of these, with room for a factor over this set, which has attributes of each; undefined beyond the limits. */
export function joinParts(
  parts: readonly Part[],
  set: readonly number[],
  sizes: Sizes,
  limits: Limits,
): Part | undefined {
  const cliques = joinedCliques(parts, set, sizes, limits)
  return (
    cliques &&
    new Part(
      cliques,
      sizes,
      parts.flatMap(({ logs }) => logs),
      parts.flatMap(({ answers }) => answers),
    )
  )
}

/**
 * Whether sizes alone say that there is room for a factor over this set: widening every clique by the set is a way to join
 * parts. This is asked of every candidate in every round, so it makes no objects. `parts`: that of each attribute.
 */
export function hasRoom(set: readonly number[], parts: readonly Part[], sizes: Sizes, limits: Limits): boolean {
  let cells = 0
  let widening = 1
  for (let i = 0; i < set.length; i++) {
    const part = parts[set[i]!]!
    let isFirst = true
    for (let j = 0; j < i; j++) if (parts[set[j]!] === part) isFirst = false
    if (isFirst) cells += part.cells
    widening *= sizes[set[i]!]!
  }
  return cells * widening <= limits.cells
}

export function joinedCliques(
  parts: readonly Part[],
  set: readonly number[],
  sizes: Sizes,
  limits: Limits,
): AttributeSets | undefined {
  if (parts.length <= 1 && (parts[0]?.holds(set) ?? true)) return parts.flatMap(({ cliques }) => cliques)
  if (cellsOver(set, sizes) > limits.cells) return undefined
  const whole = union(
    set,
    parts.flatMap(({ attributes }) => attributes),
  )
  if (cellsOver(whole, sizes) <= Math.min(limits.cells, limits.tableCells)) return [whole]
  const sets = parts.flatMap(({ logs }) => logs.map(({ attributes }) => attributes))
  const widened = () => parts.flatMap(({ cliques }) => cliques.map((clique) => union(clique, set)))
  return [() => cliquesOf([...sets, set], sizes), widened]
    .map((cliques) => cliques())
    .find((cliques) => cellsOf(cliques, sizes) <= limits.cells)
}

const union = (a: readonly number[], b: readonly number[]): number[] => [...new Set([...a, ...b])].sort((x, y) => x - y)
