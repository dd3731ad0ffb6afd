import type { MaxentProblem } from '../problem.ts'
import type { WideFeature } from '../wide-feature.ts'

/** What features that are not spread out do in Gibbs sampling: each is evaluated where it is not 0. */
export class WideWeights {
  readonly #features: readonly WideFeature[]
  readonly #first: number
  /** By attribute: the features that look at it, and where it is among their attributes. */
  readonly #at: readonly (readonly { readonly feature: number; readonly place: number }[])[]
  readonly #logs: Float64Array
  #weights: Float64Array

  constructor({ universe, wide, targets }: MaxentProblem) {
    this.#features = wide
    this.#first = targets.length - wide.length
    this.#weights = new Float64Array(wide.length)
    this.#logs = new Float64Array(Math.max(...universe.attributes.map(({ size }) => size)))
    this.#at = universe.attributes.map((_, a) =>
      wide.flatMap(({ attributes }, feature) => {
        const place = attributes.indexOf(a)
        return place < 0 ? [] : [{ feature, place }]
      }),
    )
  }

  update(w: Float64Array): void {
    this.#weights = w.subarray(this.#first)
  }

  looksAt(attribute: number): boolean {
    return this.#at[attribute]!.length > 0
  }

  /** Multiplies a row over an attribute's codes by exp Σ w·f, given the record's other codes. */
  multiply(row: Float64Array, size: number, attribute: number, codes: Int32Array, at: number): void {
    if (!this.looksAt(attribute)) return
    const logs = this.#logs.fill(0)
    let isAny = false
    for (const { feature, place } of this.#at[attribute]!) {
      const { attributes, terms } = this.#features[feature]!
      for (const { coefficient, factors } of terms) {
        let rest = coefficient * this.#weights[feature]!
        for (let i = 0; i < attributes.length && rest !== 0; i++)
          if (i !== place) rest *= factors[i]![codes[at + attributes[i]!]!]!
        if (rest === 0) continue
        isAny = true
        const own = factors[place]!
        for (let v = 0; v < own.length; v++) logs[v]! += rest * own[v]!
      }
    }
    if (!isAny) return
    let most = Number.NEGATIVE_INFINITY
    for (let v = 0; v < size; v++) most = Math.max(most, logs[v]!)
    for (let v = 0; v < size; v++) row[v]! *= Math.exp(logs[v]! - most)
  }

  /** Writes the features' means over records; or Σ weight·feature, where every record has a weight. */
  means(codes: Int32Array, width: number, into: Float64Array, weights?: Float64Array): void {
    const count = codes.length / width
    for (const [f, feature] of this.#features.entries()) {
      let sum = 0
      for (let r = 0; r < count; r++) sum += valueAt(feature, codes, r * width) * (weights ? weights[r]! : 1 / count)
      into[this.#first + f] = sum
    }
  }

  /** Adds Σ v·feature to every record's score. */
  addScores(codes: Int32Array, width: number, v: Float64Array, scores: Float64Array): void {
    for (const [f, feature] of this.#features.entries())
      for (let r = 0; r < scores.length; r++) scores[r]! += v[this.#first + f]! * valueAt(feature, codes, r * width)
  }
}

function valueAt({ attributes, terms }: WideFeature, codes: Int32Array, at: number): number {
  let sum = 0
  for (const { coefficient, factors } of terms) {
    let product = coefficient
    for (let i = 0; i < attributes.length && product !== 0; i++) product *= factors[i]![codes[at + attributes[i]!]!]!
    sum += product
  }
  return sum
}
