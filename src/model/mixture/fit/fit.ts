import { Adam } from './adam.ts'
import { Complexity } from './complexity.ts'
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

/** Past this share of the cells' number, χ² is lowered by fitting the noise, however much there is to fit. */
const leastMisfit = 0.8
/** How often χ² is looked at. */
const interval = 5
const mostSteps = 800
/** What complexity is charged at first, and the steps from a start and from one charge to the next. */
const [firstCharge, firstSteps, laterSteps] = [256, 150, 60]
/** Components about which all attributes together tell less are alike: a few thousandths are told of those, some tenths at least of others. */
const leastInformation = 0.1
/** Of the logarithms of the factors by which components differ in the beginning. */
const spread = 0.5

/** Components at one charge for complexity. */
interface ChargedMixture {
  readonly charge: number
  readonly components: Components
  /** All of them are alike: nothing was worth the charge. */
  readonly isProduct: boolean
}

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
  next(): Components {
    const [components, objective] = [this.#components, this.#objective]
    this.#start()
    for (let step = 1; step <= mostSteps; step++) {
      components.update()
      objective.differentiate(components)
      if (step % interval === 0 && this.#isNear()) return components
      this.#step()
    }
    components.update()
    return components
  }

  /**
   * One more mixture that is charged for complexity: first so much that hardly anything is left but single attributes, then half of it, and
   * so on down to the least charge. Each is shown once it is reached. It is the fit's own, and holds until the next. Components that have
   * become alike stay so, whatever the charge: then the next one has a start of its own.
   */
  *simplest(least: number): Generator<ChargedMixture> {
    const [components, objective] = [this.#components, this.#objective]
    const complexity = new Complexity(this.#problem.attributes, components)
    let isProduct = true
    for (let charge = 2 * firstCharge; charge > least; ) {
      charge = Math.max(least, charge / 2)
      if (isProduct) this.#start()
      for (let steps = isProduct ? firstSteps : laterSteps; steps > 0; steps--) {
        components.update()
        objective.differentiate(components)
        complexity.differentiate(components, charge, objective.slopes, objective.totals, objective.layout.scale)
        this.#step()
      }
      components.update()
      isProduct = complexity.information < leastInformation
      yield { charge, components, isProduct }
    }
  }

  #isNear(): boolean {
    const { chiSquare, cells } = this.#objective.misfit()
    return chiSquare <= this.#enough * cells
  }

  #start(): void {
    this.#components.start(this.#problem.attributes, spread, this.#options.random)
    this.#logits.start()
    this.#weights.start()
  }

  #step(): void {
    this.#logits.step(this.#components.logits, this.#objective.slopes)
    this.#weights.step(this.#components.weightLogits, this.#objective.totals)
  }
}
