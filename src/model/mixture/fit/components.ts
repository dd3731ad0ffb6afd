import { standardNormal } from '../../../numeric/index.ts'
import { groupSums, groupsOfAtoms } from '../partition.ts'
import type { Panels } from './panels.ts'
import type { MixtureAttribute } from './problem.ts'

/** Of the largest weight, e^-12 of it counts for the smallest. */
const lowestWeightLogit = -12

/**
 * The components of one mixture while it is fitted: each has a weight, and for every attribute a distribution over its
 * atoms. All tables are atoms (of all attributes, one after the other) × components, components running fastest.
 */
export class Components {
  readonly count: number
  /** By attribute its first atom; at the end the number of all. */
  readonly offsets: readonly number[]
  readonly logits: Float32Array
  readonly weightLogits: Float32Array
  readonly probabilities: Float32Array
  readonly weights: Float32Array
  readonly #kernel: Panels['kernel']
  readonly #sums: Float32Array
  readonly #row: Float32Array

  /** Rows that it takes of the panels, for so many atoms. */
  static rows(atoms: number): number {
    return 2 * atoms + 4
  }

  constructor(attributes: readonly MixtureAttribute[], panels: Panels) {
    this.count = panels.length
    this.#kernel = panels.kernel
    const offsets = [0]
    for (const { atoms } of attributes) offsets.push(offsets.at(-1)! + atoms.count)
    this.offsets = offsets
    const atoms = offsets.at(-1)!
    this.logits = panels.rows(atoms)
    this.probabilities = panels.rows(atoms)
    this.weightLogits = panels.rows(1)
    this.weights = panels.rows(1)
    this.#sums = panels.rows(1)
    this.#row = panels.rows(1)
  }

  /** Equal weights, and the counts' proportions times factors whose logarithms are normal with this deviation. */
  start(attributes: readonly MixtureAttribute[], spread: number, random: () => number): void {
    const { count, offsets, logits } = this
    this.weightLogits.fill(0)
    for (const [a, { atoms, counts, start }] of attributes.entries()) {
      const masses = groupSums(atoms, counts)
      const groups = start ? groupsOfAtoms(start, atoms) : masses.map((_, atom) => atom)
      const factors = Float64Array.from(
        { length: (start ?? atoms).count * count },
        () => spread * standardNormal(random),
      )
      for (let atom = 0; atom < atoms.count; atom++)
        for (let k = 0; k < count; k++)
          logits[(offsets[a]! + atom) * count + k] =
            Math.log(Math.max(masses[atom]!, 1)) + factors[groups[atom]! * count + k]!
    }
  }

  /** Sets probabilities and weights from the logits. */
  update(): void {
    const { logits, probabilities, weightLogits, weights } = this
    softmax(weightLogits, weights, lowestWeightLogit)
    const [kernel, sums, top] = [this.#kernel, this.#sums, this.#row]
    for (const { from, rows } of this.#blocks()) {
      top.fill(Number.NEGATIVE_INFINITY)
      kernel.raise(logits.byteOffset + from, top.byteOffset, rows)
      sums.fill(0)
      const into = probabilities.byteOffset + from
      kernel.exponentials(into, logits.byteOffset + from, top.byteOffset, sums.byteOffset, rows)
      for (let k = 0; k < sums.length; k++) sums[k] = 1 / sums[k]!
      kernel.multiply(into, into, sums.byteOffset, rows)
    }
  }

  /**
   * Turns derivatives by n·weight·probability into derivatives by logits, in place: `slopes` of the atoms, `totals` of the
   * weights.
   */
  pullBack(slopes: Float32Array, totals: Float32Array, records: number): void {
    const { probabilities, weights } = this
    const [kernel, sums, scaled] = [this.#kernel, this.#sums, this.#row]
    for (let k = 0; k < scaled.length; k++) scaled[k] = weights[k]! * records
    for (const { from, rows } of this.#blocks()) {
      const [own, values] = [slopes.byteOffset + from, probabilities.byteOffset + from]
      sums.fill(0)
      kernel.addProducts(own, values, sums.byteOffset, rows)
      kernel.pullBack(own, values, sums.byteOffset, scaled.byteOffset, rows)
    }
    let mean = 0
    for (let k = 0; k < totals.length; k++) mean += weights[k]! * totals[k]!
    for (let k = 0; k < totals.length; k++) totals[k] = records * weights[k]! * (totals[k]! - mean)
  }

  /** By attribute: where its rows begin, in bytes, and how many there are. */
  *#blocks(): Iterable<{ from: number; rows: number }> {
    for (let a = 0; a + 1 < this.offsets.length; a++)
      yield { from: 4 * this.offsets[a]! * this.count, rows: this.offsets[a + 1]! - this.offsets[a]! }
  }
}

function softmax(logits: Float32Array, into: Float32Array, lowest: number): void {
  const top = logits.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  let sum = 0
  for (let k = 0; k < logits.length; k++) {
    into[k] = Math.exp(Math.max(logits[k]! - top, lowest))
    sum += into[k]!
  }
  for (let k = 0; k < logits.length; k++) into[k]! /= sum
}
