import { type PanelKernel, panelKernel } from '../../../numeric/index.ts'

/** Floats in a kernel's memory: rows of one length, taken one after the other, as many as were asked for in the beginning. */
export class Panels {
  readonly kernel: PanelKernel
  readonly length: number
  #taken = 0

  /** Room for so many rows and so many floats besides. */
  constructor(length: number, rows: number, floats: number) {
    this.length = length
    this.kernel = panelKernel(length)
    this.kernel.memory.grow(Math.ceil((4 * (rows * length + floats)) / 2 ** 16))
  }

  rows(count: number): Float32Array {
    return this.floats(count * this.length)
  }
  floats(count: number): Float32Array {
    const array = new Float32Array(this.kernel.memory.buffer, 4 * this.#taken, count)
    this.#taken += count
    return array
  }
}
