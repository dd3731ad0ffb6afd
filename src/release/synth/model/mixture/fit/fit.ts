import { Adam } from './adam.ts'
import { Components } from './components.ts'
import { Objective } from './objective.ts'
import type { MixtureProblem } from './problem.ts'

interface FitOptions {
  /** In one mixture; a multiple of eight. */
  readonly components: number
  readonly random: () => number
  readonly steps?: number
}

/** Past this share of the cells' number, χ² is lowered by fitting the noise. */
const enough = 0.8
/** How often χ² is looked at. */
const interval = 5
const mostSteps = 800
/** Of the logarithms of the factors by which components differ in the beginning. */
const spread = 0.5

/** Mixtures that are fitted to one problem, each from a start of its own. */
export class MixtureFit {
  readonly #problem: MixtureProblem
  readonly #components: Components
  readonly #objective: Objective
  readonly #options: FitOptions

  constructor(problem: MixtureProblem, options: FitOptions) {
    this.#problem = problem
    this.#options = options
    this.#components = new Components(problem.attributes, options.components)
    this.#objective = new Objective(problem, this.#components)
  }

  /** One more mixture. It is the fit's own, and holds until the next. */
  next(): Components {
    const [components, objective] = [this.#components, this.#objective]
    components.start(this.#problem.attributes, spread, this.#options.random)
    const [logits, weights] = [new Adam(components.logits.length), new Adam(components.count)]
    const steps = this.#options.steps ?? mostSteps
    for (let step = 1; step <= steps; step++) {
      components.update()
      objective.differentiate(components)
      if (step % interval === 0 && objective.chiSquare() <= enough * objective.layout.cells) return components
      logits.step(components.logits, objective.rows)
      weights.step(components.weightLogits, objective.totals)
    }
    components.update()
    return components
  }
}
