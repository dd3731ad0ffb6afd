const rate = 0.05
const [first, second] = [0.9, 0.999]

/** Adam (Kingma and Ba 2015) on one list of parameters. */
export class Adam {
  readonly #means: Float32Array
  readonly #squares: Float32Array
  #steps = 0

  constructor(size: number) {
    this.#means = new Float32Array(size)
    this.#squares = new Float32Array(size)
  }

  step(parameters: Float32Array, slopes: Float32Array): void {
    const [means, squares] = [this.#means, this.#squares]
    this.#steps++
    const meanFactor = rate / (1 - first ** this.#steps)
    const squareFactor = 1 / (1 - second ** this.#steps)
    for (let i = 0; i < parameters.length; i++) {
      const slope = slopes[i]!
      const mean = first * means[i]! + (1 - first) * slope
      // Never so small that it would be a denormal float.
      const square = second * squares[i]! + (1 - second) * slope * slope + 1e-30
      means[i] = mean
      squares[i] = square
      parameters[i]! -= (meanFactor * mean) / (Math.sqrt(squareFactor * square) + 1e-12)
    }
  }
}
