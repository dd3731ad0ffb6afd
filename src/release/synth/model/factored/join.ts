import { cellsOver, cliquesOf, type Sizes } from '../junction-tree/index.ts'
import { type AttributeSets, Part } from './part.ts'

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

/** Whether there is room for it. Widening every clique by the set is a way to join them, and its size is plain. */
export function canJoin(parts: readonly Part[], set: readonly number[], sizes: Sizes, limits: Limits): boolean {
  const widening = cellsOver(set, sizes)
  if (widening > limits.cells) return false
  const cells = parts.reduce((sum, { cliques }) => sum + cellsOf(cliques, sizes), 0)
  return cells * widening <= limits.cells || joinedCliques(parts, set, sizes, limits) !== undefined
}

function joinedCliques(
  parts: readonly Part[],
  set: readonly number[],
  sizes: Sizes,
  limits: Limits,
): AttributeSets | undefined {
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

const cellsOf = (cliques: AttributeSets, sizes: Sizes): number =>
  cliques.reduce((sum, clique) => sum + cellsOver(clique, sizes), 0)
