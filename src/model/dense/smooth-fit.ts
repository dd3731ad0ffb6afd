import { dot } from '../../numeric/index.ts'
import { attributesOf, marginalOver } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { NoisyAnswer } from '../fitted-model.ts'
import type { Cells } from './cells.ts'
import { conjugateGradient } from './conjugate-gradient.ts'
import { SmoothPrior } from './smooth-prior.ts'
import { TiltedAnswers } from './tilted-answers.ts'
import { isContrast } from './unmeasured-effects.ts'

/** Steps of Gauss and Newton; those after the first of a round start near their end. */
const maxSteps = 20
const maxHalvings = 12
/** Products per step: a direction need not be better than what a line search makes of it. */
const maxProducts = 60
const leastProducts = 10
/** Where the objective falls by less than this share of itself, it is done: far less than the noise changes it. */
const enough = 1e-4

/**
 * The likeliest table: the largest posterior density under the smooth prior, given noisy answers. With shares
 * p = softmax(f) and f = K·α it minimises ½ Σ (m - n·q(p))²/σ² + ½ αᵀKα. It goes on from where the last fit ended.
 */
export class SmoothFit {
  readonly #prior: SmoothPrior
  readonly #universe: Universe
  readonly #records: number
  #alpha: Float64Array
  #logs: Float64Array

  constructor(universe: Universe, records: number) {
    this.#universe = universe
    this.#records = records
    this.#prior = new SmoothPrior(universe, records)
    this.#alpha = new Float64Array(Number(universe.size))
    this.#logs = this.#alpha.slice()
  }

  /** Writes the shares into the cells, once so many cells were visited, about, if not before. */
  fit(answers: readonly NoisyAnswer[], cells: Cells, visits: number): void {
    const tilted = new TiltedAnswers(answers, this.#universe, this.#records)
    const perProduct = 2 * cells.length * (answers.length + this.#universe.attributes.length)
    let products = Math.max(leastProducts, Math.floor(visits / perProduct))
    let now = this.#state(tilted, this.#alpha, this.#logs)
    for (let step = 0; step < maxSteps && products > 0; step++) {
      const direction = this.#gaussNewton(tilted, now, Math.min(maxProducts, products))
      products -= direction.iterations
      const next = this.#lineSearch(tilted, now, direction)
      if (!next) break
      const gain = now.objective - next.objective
      now = next
      if (gain <= enough * now.objective) break
    }
    this.#alpha = now.alpha
    this.#logs = now.logs
    cells.set(now.shares)
  }

  /** (K⁻¹ + BᵀB)·δf = Bᵀr - α, B being the answers' derivative in units of their noise and r what they are off. */
  #gaussNewton(tilted: TiltedAnswers, { alpha, shares, residuals }: State, products: number) {
    const pull = tilted.transposed(shares, residuals)
    const { x, y, iterations } = conjugateGradient(
      (v) => this.#prior.times(v),
      (v) => tilted.transposed(shares, tilted.derivative(shares, v)),
      pull.map((value, i) => value - alpha[i]!),
      products,
    )
    return { logs: x, alpha: y, iterations }
  }

  /** Half as far, and again, until it is better than now. */
  #lineSearch(
    tilted: TiltedAnswers,
    now: State,
    step: { readonly logs: Float64Array; readonly alpha: Float64Array },
  ): State | undefined {
    for (let part = 1, i = 0; i < maxHalvings; part /= 2, i++) {
      const along = (from: Float64Array, way: Float64Array) => from.map((value, x) => value + part * way[x]!)
      const next = this.#state(tilted, along(now.alpha, step.alpha), along(now.logs, step.logs))
      if (next.objective < now.objective) return next
    }
    return undefined
  }

  #state(tilted: TiltedAnswers, alpha: Float64Array, logs: Float64Array): State {
    const shares = softmax(logs)
    const residuals = tilted.residuals(shares)
    return { alpha, logs, shares, residuals, objective: dot(residuals, residuals) / 2 + dot(alpha, logs) / 2 }
  }
}

/**
 * Whether every answer is a parity, or looks at attributes of a marginal that is also there. Marginals tell effects of few attributes
 * along with those of many, and of parities something is said about those (unmeasured-effects.ts). Of others the prior
 * would rather explain the effect of many attributes by those of single ones.
 */
export function tellSmoothTables(answers: readonly NoisyAnswer[], universe: Universe): boolean {
  const marginals = answers.map(({ query }) => marginalOver(query)).filter((names) => names !== undefined)
  return answers.every(
    ({ query }) =>
      marginalOver(query) ||
      isContrast(query, universe) ||
      marginals.some((names) => attributesOf(query, universe).every((name) => names.includes(name))),
  )
}

interface State {
  readonly alpha: Float64Array
  readonly logs: Float64Array
  readonly shares: Float64Array
  readonly residuals: Float64Array
  readonly objective: number
}

function softmax(logs: Float64Array): Float64Array {
  const most = logs.reduce((a, b) => Math.max(a, b), -Infinity)
  const weights = logs.map((value) => Math.exp(value - most))
  const total = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / total)
}
