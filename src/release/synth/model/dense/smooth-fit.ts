import type { Universe } from '../../../../schema/index.ts'
import type { NoisyAnswer } from '../../mwem/fitted-model.ts'
import { conjugateGradient } from './conjugate-gradient.ts'
import type { Cells } from './projection.ts'
import { SmoothPrior } from './smooth-prior.ts'
import { TiltedAnswers } from './tilted-answers.ts'

/** Steps of Gauss and Newton; those after the first of a round start near their end. */
const maxSteps = 20
const maxHalvings = 12
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

  /** Writes the shares into the cells. */
  fit(answers: readonly NoisyAnswer[], cells: Cells): void {
    const tilted = new TiltedAnswers(answers, this.#universe, this.#records)
    let now = this.#state(tilted, this.#alpha, this.#logs)
    for (let step = 0; step < maxSteps; step++) {
      const alpha = this.#gaussNewton(tilted, now)
      const next = this.#lineSearch(tilted, now, alpha, this.#prior.times(alpha))
      if (!next) break
      const gain = now.objective - next.objective
      now = next
      if (gain <= enough * now.objective) break
    }
    this.#alpha = now.alpha
    this.#logs = now.logs
    cells.set(now.shares)
  }

  /** (I + B·K·Bᵀ)·u = r + B·f, B being the answers' derivative in units of their noise; then α = Bᵀu. */
  #gaussNewton(tilted: TiltedAnswers, { shares, residuals, logs }: State): Float64Array {
    const known = tilted.derivative(shares, logs)
    const right = residuals.map((r, i) => r + known[i]!)
    const u = conjugateGradient((v) => {
      const image = tilted.derivative(shares, this.#prior.times(tilted.transposed(shares, v)))
      return image.map((value, i) => value + v[i]!)
    }, right)
    return tilted.transposed(shares, u)
  }

  /** Half as far, and again, until it is better than now. */
  #lineSearch(tilted: TiltedAnswers, now: State, alpha: Float64Array, logs: Float64Array): State | undefined {
    for (let part = 1, i = 0; i < maxHalvings; part /= 2, i++) {
      const between = (a: Float64Array, b: Float64Array) => a.map((value, x) => value + part * (b[x]! - value))
      const next = this.#state(tilted, between(now.alpha, alpha), between(now.logs, logs))
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

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
