import { Adam } from './adam.ts'
import { Components } from './components.ts'
import { layoutOf } from './layout.ts'
import { Objective } from './objective.ts'
import { Panels } from './panels.ts'
import type { MixtureProblem } from './problem.ts'

interface FitOptions {
  /** In one mixture; a multiple of eight. */
  readonly components: number
  readonly random: () => number
}

/** How far a mixture is from what it is fitted to: χ², and over how many cells. */
type Misfit = ReturnType<Objective['misfit']>

/** Past this share of the cells' number, χ² is lowered by fitting the noise, however much there is to fit. */
const leastMisfit = 0.8
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
  readonly #logits: Adam
  readonly #weights: Adam
  readonly #options: FitOptions
  /** Where fitting stops unless said: χ² over the number of cells. */
  readonly #enough: number

  constructor(problem: MixtureProblem, options: FitOptions) {
    const layout = layoutOf(problem)
    const atoms = problem.attributes.reduce((sum, { atoms }) => sum + atoms.count, 0)
    const rows = Components.rows(atoms) + Objective.rows(layout, atoms) + Adam.rows(atoms) + Adam.rows(1)
    const panels = new Panels(options.components, rows, layout.weights.length)
    this.#problem = problem
    this.#options = options
    this.#components = new Components(problem.attributes, panels)
    this.#objective = new Objective(layout, problem.records, atoms, panels)
    this.#logits = new Adam(atoms, panels)
    this.#weights = new Adam(1, panels)
    const { enough } = problem
    this.#enough = enough !== undefined && this.cells > 0 ? enough / this.cells : this.#worthFitting()
  }

  /**
   * Where there is little to find, fitting stops earlier. Independent attributes have a χ² of 1 + S per cell, S being what they leave unexplained in units of the noise. Of noise and
   * signal mixed like that the best share to follow is S/(1 + S), which leaves (1 + S)/(1 + S)².
   */
  #worthFitting(): number {
    const [components, objective] = [this.#components, this.#objective]
    components.start(this.#problem.attributes, 0, () => 0.5)
    components.update()
    objective.differentiate(components)
    const { chiSquare, cells } = objective.misfit()
    return chiSquare > 0 ? Math.min(1, Math.max(leastMisfit, cells / chiSquare)) : leastMisfit
  }

  /** So many measured numbers of two and more attributes it is held to. */
  get cells(): number {
    return this.#objective.layout.cells
  }

  /** One more mixture, fitted until it is near enough. It is the fit's own, and holds until the next. */
  next(isEnough: (misfit: Misfit, components: Components) => boolean = isBelow(this.#enough)): Components {
    const [components, objective] = [this.#components, this.#objective]
    components.start(this.#problem.attributes, spread, this.#options.random)
    this.#logits.start()
    this.#weights.start()
    for (let step = 1; step <= mostSteps; step++) {
      components.update()
      objective.differentiate(components)
      if (step % interval === 0 && isEnough(objective.misfit(), components)) return components
      this.#logits.step(components.logits, objective.slopes)
      this.#weights.step(components.weightLogits, objective.totals)
    }
    components.update()
    return components
  }
}

/** χ² is at most this share of the number of cells. */
export const isBelow =
  (share: number) =>
  ({ chiSquare, cells }: Misfit): boolean =>
    chiSquare <= share * cells
