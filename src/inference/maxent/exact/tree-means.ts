import {
  calibrate,
  cellsOver,
  cliquesOf,
  joinCliques,
  type Projection,
  projectionOnto,
  type TreeShape,
} from '../../../model/index.ts'
import type { MaxentProblem } from '../problem.ts'
import { addMeans, addSquares, potential, type Scope } from '../scope.ts'

/** Cells of all cliques together: a step over so many takes some tenths of a second. */
const mostTreeCells = 2 ** 22

/** The cliques that an exact fit works on; undefined where they would be too large. */
export function exactCliques({ universe, scopes, wide }: MaxentProblem): number[][] | undefined {
  if (wide.length > 0 || scopes.length === 0) return undefined
  const cliques = cliquesOf(
    scopes.map(({ attributes }) => attributes),
    universe.attributes.map(({ size }) => size),
  )
  return hasRoom({ universe }, cliques) ? cliques : undefined
}

/** Whether tables of all cliques fit. */
export const hasRoom = (problem: Pick<MaxentProblem, 'universe'>, cliques: readonly (readonly number[])[]): boolean =>
  treeCells(problem, cliques) <= mostTreeCells

/** Cells of all cliques together. */
export const treeCells = (
  { universe }: Pick<MaxentProblem, 'universe'>,
  cliques: readonly (readonly number[])[],
): number =>
  cliques.reduce((sum, clique) => sum + clique.reduce((cells, a) => cells * universe.attributes[a]!.size, 1), 0)

/** The features' means under p_w and ln Z_w, exactly, by a junction tree. Attributes that no feature looks at do not matter. */
export class TreeMeans {
  readonly #sizes: readonly number[]
  readonly #shape: TreeShape
  readonly #tables: readonly Float64Array[]
  /** ln p₀, spread over the cliques: what every evaluation begins with. */
  readonly #start: readonly Float64Array[]
  readonly #views: readonly { readonly scope: Scope; readonly clique: number; readonly onto: Projection }[]

  constructor(problem: MaxentProblem, cliques: readonly (readonly number[])[]) {
    this.#sizes = problem.universe.attributes.map(({ size }) => size)
    this.#shape = joinCliques(cliques, this.#sizes)
    this.#tables = cliques.map((clique) => new Float64Array(cellsOver(clique, this.#sizes)))
    this.#views = problem.scopes.map((scope) => ({ scope, ...this.#placeOf(scope.attributes) }))
    this.#start = this.#tables.map((table) => table.slice())
    for (const a of new Set(cliques.flat())) {
      const { clique, onto } = this.#placeOf([a])
      onto.add(this.#start[clique]!, problem.prior[a]!.map(Math.log))
    }
  }

  /** Writes the means; returns ln Z_w. */
  at(w: Float64Array, means: Float64Array): number {
    const logTotal = this.#calibrate(w)
    for (const { scope, clique, onto } of this.#views) addMeans(scope, onto.sum(this.#tables[clique]!), means)
    return logTotal
  }

  /** The variances of the features under p_w. */
  variances(w: Float64Array): Float64Array {
    this.#calibrate(w)
    const [means, squares] = [new Float64Array(w.length), new Float64Array(w.length)]
    for (const { scope, clique, onto } of this.#views) {
      const shares = onto.sum(this.#tables[clique]!)
      addMeans(scope, shares, means)
      addSquares(scope, shares, squares)
    }
    return squares.map((square, i) => square - means[i]! ** 2)
  }

  /** The covariance of the features under p_w, times any vector: how the means change along it. */
  covariance(w: Float64Array): (v: Float64Array) => Float64Array {
    const means = new Float64Array(w.length)
    this.at(w, means)
    return (v) => {
      const step = 1e-5 / v.reduce((most, x) => Math.max(most, Math.abs(x)), Number.MIN_VALUE)
      const moved = new Float64Array(w.length)
      this.at(
        w.map((x, i) => x + step * v[i]!),
        moved,
      )
      return moved.map((mean, i) => (mean - means[i]!) / step)
    }
  }

  #calibrate(w: Float64Array): number {
    for (const [c, table] of this.#tables.entries()) table.set(this.#start[c]!)
    for (const { scope, clique, onto } of this.#views) onto.add(this.#tables[clique]!, potential(scope, w))
    return calibrate(this.#shape, this.#tables, this.#sizes).logTotal
  }

  #placeOf(attributes: readonly number[]) {
    const { cliques } = this.#shape
    const holding = [...cliques.keys()].filter((c) => attributes.every((a) => cliques[c]!.includes(a)))
    const clique = holding.reduce((best, c) => (this.#tables[c]!.length < this.#tables[best]!.length ? c : best))
    return { clique, onto: projectionOnto(cliques[clique]!, attributes, this.#sizes) }
  }
}
