import type { Panels } from './panels.ts'

const rate = 0.05
/** The kernel's decay rates. */
const [first, second] = [0.9, 0.999]

/** Adam on rows of parameters. */
export class Adam {
  readonly #kernel: Panels['kernel']
  readonly #means: Float32Array
  readonly #squares: Float32Array
  readonly #rate: Float32Array
  readonly #scale: Float32Array
  #steps = 0

  /** Rows that it takes of the panels, for so many rows of parameters. */
  static rows(parameters: number): number {
    return 2 * parameters + 2
  }

  constructor(rows: number, panels: Panels) {
    this.#kernel = panels.kernel
    this.#means = panels.rows(rows)
    this.#squares = panels.rows(rows)
    this.#rate = panels.rows(1)
    this.#scale = panels.rows(1)
  }

  /** Forgets all steps. */
  start(): void {
    this.#means.fill(0)
    this.#squares.fill(0)
    this.#steps = 0
  }

  step(parameters: Float32Array, slopes: Float32Array): void {
    this.#steps++
    this.#rate.fill(rate / (1 - first ** this.#steps))
    this.#scale.fill(1 / (1 - second ** this.#steps))
    const addresses = [parameters, slopes, this.#means, this.#squares, this.#rate, this.#scale].map((a) => a.byteOffset)
    const rows = parameters.length / this.#rate.length
    this.#kernel.adam(...(addresses as [number, number, number, number, number, number]), rows)
  }
}
