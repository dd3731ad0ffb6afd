import { groupSums, groupsOfAtoms } from '../partition.ts'
import type { MixtureAttribute } from './problem.ts'

/** Lower logits than this below the largest count as this: e^-18 is nobody, and smaller floats would cost many times the time. */
const lowestLogit = -18
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
  readonly #sums: Float32Array
  readonly #tops: Float32Array

  constructor(attributes: readonly MixtureAttribute[], count: number) {
    this.count = count
    this.offsets = attributes.reduce((at, { atoms }) => [...at, at.at(-1)! + atoms.count], [0])
    this.logits = new Float32Array(this.offsets.at(-1)! * count)
    this.probabilities = new Float32Array(this.logits.length)
    this.weightLogits = new Float32Array(count)
    this.weights = new Float32Array(count)
    this.#sums = new Float32Array(count)
    this.#tops = new Float32Array(count)
  }

  /** Equal weights, and the counts' proportions times factors whose logarithms are normal with this deviation. */
  start(attributes: readonly MixtureAttribute[], spread: number, random: () => number): void {
    const { count, offsets, logits } = this
    this.weightLogits.fill(0)
    for (const [a, { atoms, counts, start }] of attributes.entries()) {
      const masses = groupSums(atoms, counts)
      const groups = start ? groupsOfAtoms(start, atoms) : masses.map((_, atom) => atom)
      const factors = Float64Array.from({ length: (start ?? atoms).count * count }, () => spread * normal(random))
      for (let atom = 0; atom < atoms.count; atom++)
        for (let k = 0; k < count; k++)
          logits[(offsets[a]! + atom) * count + k] =
            Math.log(Math.max(masses[atom]!, 1)) + factors[groups[atom]! * count + k]!
    }
  }

  /** Sets probabilities and weights from the logits. */
  update(): void {
    const { count, logits, probabilities, weightLogits, weights } = this
    softmax(weightLogits, weights, lowestWeightLogit)
    const [tops, sums] = [this.#tops, this.#sums]
    for (let a = 0; a + 1 < this.offsets.length; a++) {
      const [from, to] = [this.offsets[a]! * count, this.offsets[a + 1]! * count]
      tops.set(logits.subarray(from, from + count))
      for (let row = from + count; row < to; row += count)
        for (let k = 0; k < count; k++) if (logits[row + k]! > tops[k]!) tops[k] = logits[row + k]!
      sums.fill(0)
      for (let row = from; row < to; row += count)
        for (let k = 0; k < count; k++) {
          const value = Math.exp(Math.max(logits[row + k]! - tops[k]!, lowestLogit))
          probabilities[row + k] = value
          sums[k]! += value
        }
      for (let k = 0; k < count; k++) sums[k] = 1 / sums[k]!
      for (let row = from; row < to; row += count) for (let k = 0; k < count; k++) probabilities[row + k]! *= sums[k]!
    }
  }

  /**
   * Turns derivatives by n·weight·probability into derivatives by logits, in place: `rows` of the atoms, `totals` of the
   * weights.
   */
  pullBack(rows: Float32Array, totals: Float32Array, records: number): void {
    const { count, probabilities, weights } = this
    const sums = this.#sums
    for (let a = 0; a + 1 < this.offsets.length; a++) {
      const [from, to] = [this.offsets[a]! * count, this.offsets[a + 1]! * count]
      sums.fill(0)
      for (let row = from; row < to; row += count)
        for (let k = 0; k < count; k++) sums[k]! += rows[row + k]! * probabilities[row + k]!
      for (let row = from; row < to; row += count)
        for (let k = 0; k < count; k++)
          rows[row + k] = (rows[row + k]! - sums[k]!) * probabilities[row + k]! * weights[k]! * records
    }
    let mean = 0
    for (let k = 0; k < count; k++) mean += weights[k]! * totals[k]!
    for (let k = 0; k < count; k++) totals[k] = records * weights[k]! * (totals[k]! - mean)
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

/** Box and Muller. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
