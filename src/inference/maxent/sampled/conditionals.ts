import { strides } from '../../../numeric/index.ts'
import type { MaxentProblem } from '../problem.ts'
import { potential, type Scope } from '../scope.ts'

/** A scope as one of its attributes sees it: a row of factors over that attribute's codes, for every cell of the others. */
export interface View {
  /** Where its rows begin in the table of factors. */
  readonly start: number
  /** The other attributes, and how far apart their codes are. */
  readonly others: readonly number[]
  readonly steps: readonly number[]
}

interface Turned {
  readonly scope: Scope
  readonly size: number
  readonly start: number
  /** For every place of the turned table the cell of the scope. */
  readonly cellAt: Int32Array
}

/**
 * exp θ_S of every scope, turned so that the codes of each of its attributes lie side by side: what Gibbs sampling multiplies. A row
 * is divided by its largest factor, which changes no conditional distribution, so products do not overflow.
 */
export class Conditionals {
  readonly factors: Float32Array
  /** Where a row of ones begins among them. */
  readonly ones: number
  /** The scopes that look at each attribute and at others. */
  readonly views: readonly (readonly View[])[]
  /** By attribute, its shares by themselves: those of the prior, times the factors of scopes that look at nothing else. */
  readonly own: readonly Float64Array[]
  /** Which attributes any scope looks at. */
  readonly isActive: readonly boolean[]
  readonly #prior: readonly Float64Array[]
  readonly #turned: readonly Turned[]

  constructor({ universe, scopes, prior }: MaxentProblem) {
    const sizes = universe.attributes.map(({ size }) => size)
    const views: View[][] = sizes.map(() => [])
    const turned: Turned[] = []
    let start = 0
    for (const scope of scopes)
      for (const a of scope.attributes) {
        const others = scope.attributes.filter((b) => b !== a)
        const order = [...others, a]
        const apart = strides(order.map((b) => sizes[b]!))
        if (others.length > 0) views[a]!.push({ start, others, steps: others.map((_, i) => apart[i]!) })
        turned.push({ scope, size: sizes[a]!, start, cellAt: turnedCells(scope.attributes, order, sizes) })
        start += scope.cells
      }
    this.views = views
    this.ones = start
    this.factors = new Float32Array(start + Math.max(1, ...sizes)).fill(1, start)
    this.own = prior.map((shares) => shares.slice())
    this.isActive = sizes.map((_, a) => scopes.some(({ attributes }) => attributes.includes(a)))
    this.#prior = prior
    this.#turned = turned
  }

  /** Takes over new weights. */
  update(w: Float64Array): void {
    for (const [a, shares] of this.own.entries()) shares.set(this.#prior[a]!)
    let last: { scope: Scope; theta: Float64Array } | undefined
    for (const { scope, size, start, cellAt } of this.#turned) {
      if (last?.scope !== scope) last = { scope, theta: potential(scope, w) }
      const { theta } = last
      for (let row = 0; row < cellAt.length; row += size) {
        let most = Number.NEGATIVE_INFINITY
        for (let i = row; i < row + size; i++) most = Math.max(most, theta[cellAt[i]!]!)
        for (let i = row; i < row + size; i++) this.factors[start + i] = Math.exp(theta[cellAt[i]!]! - most)
      }
      if (scope.attributes.length === 1) {
        const own = this.own[scope.attributes[0]!]!
        for (let v = 0; v < size; v++) own[v]! *= this.factors[start + v]!
      }
    }
  }
}

function turnedCells(attributes: readonly number[], order: readonly number[], sizes: readonly number[]): Int32Array {
  const apart = strides(attributes.map((a) => sizes[a]!))
  let cells = Int32Array.of(0)
  for (const a of order) {
    const step = apart[attributes.indexOf(a)]!
    const next = new Int32Array(cells.length * sizes[a]!)
    for (let i = 0, at = 0; i < cells.length; i++)
      for (let code = 0; code < sizes[a]!; code++) next[at++] = cells[i]! + code * step
    cells = next
  }
  return cells
}
