import type { Components } from './components.ts'
import type { MixtureAttribute } from './problem.ts'

/** What a jump between neighbouring codes costs beside a unit of the answers' loss, and from which size, in logarithms, more costs little more. */
const [smoothness, jump] = [16, 0.5]

/** Atoms of one attribute that are next to each other. */
interface Neighbours {
  readonly low: number
  readonly high: number
  /** The inverse of their distance, in codes. */
  readonly nearness: number
  /** The logarithm of how many times as many codes the second one has. */
  readonly wider: number
}

/**
 * What components are charged for, beside being far from the answers. First, for what each attribute tells of the component: charge ·
 * Σ_k w_k Σ_a KL(θ_ka, Σ_k w_k θ_ka), so that they differ only where answers ask for it. Second, for jumps between neighbouring codes of
 * attributes with an order: Σ_k w_k Σ ρ(difference of log densities), ρ(x) = ½j² ln(1 + x²/j²), which leaves single large jumps alone.
 */
export class Complexity {
  readonly #neighbours: readonly Neighbours[]
  /** ln(θ_k / Σ_k w_k θ_k), and its mean over a component's atoms. */
  readonly #excess: Float32Array
  readonly #divergences: Float64Array
  readonly #charges: Float64Array
  #information = 0

  constructor(attributes: readonly MixtureAttribute[], { offsets, count }: Components) {
    this.#neighbours = attributes.flatMap((attribute, a) => neighboursOf(attribute, offsets[a]!))
    const most = attributes.reduce((largest, { atoms }) => Math.max(largest, atoms.count), 0)
    this.#excess = new Float32Array(most * count)
    this.#divergences = new Float64Array(count)
    this.#charges = new Float64Array(count)
  }

  /**
   * Adds its derivatives by logits, times `scale`: to `slopes` those by the atoms', to `totals` those by the weights' of the first part
   * alone. A weight is not lowered because its component has jumps: where the table has them, some component must.
   */
  differentiate(
    components: Components,
    charge: number,
    slopes: Float32Array,
    totals: Float32Array,
    scale: number,
  ): void {
    const { weights, offsets, count } = components
    const charges = this.#charges.fill(0)
    for (let a = 0; a + 1 < offsets.length; a++)
      this.#distinguish(components, offsets[a]!, offsets[a + 1]!, scale * charge, slopes)
    let mean = 0
    for (let k = 0; k < count; k++) mean += weights[k]! * charges[k]!
    this.#information = mean
    for (let k = 0; k < count; k++) totals[k]! += scale * charge * weights[k]! * (charges[k]! - mean)
    for (const neighbours of this.#neighbours) smooth(components, neighbours, scale * smoothness, slopes)
  }

  /** What all attributes together told of the component when last differentiated, in nats. */
  get information(): number {
    return this.#information
  }

  /** The atoms of one attribute, from … to. */
  #distinguish(
    { probabilities, weights, count }: Components,
    from: number,
    to: number,
    factor: number,
    slopes: Float32Array,
  ): void {
    const [excess, divergences] = [this.#excess, this.#divergences.fill(0)]
    for (let atom = from; atom < to; atom++) {
      const [at, own] = [atom * count, (atom - from) * count]
      let share = 0
      for (let k = 0; k < count; k++) share += weights[k]! * probabilities[at + k]!
      const log = Math.log(share)
      for (let k = 0; k < count; k++) {
        excess[own + k] = Math.log(probabilities[at + k]!) - log
        divergences[k]! += probabilities[at + k]! * excess[own + k]!
      }
    }
    for (let atom = from; atom < to; atom++) {
      const [at, own] = [atom * count, (atom - from) * count]
      for (let k = 0; k < count; k++)
        slopes[at + k]! += factor * weights[k]! * probabilities[at + k]! * (excess[own + k]! - divergences[k]!)
    }
    for (let k = 0; k < count; k++) this.#charges[k]! += divergences[k]!
  }
}

function smooth(
  { logits, weights, count }: Components,
  { low, high, nearness, wider }: Neighbours,
  factor: number,
  slopes: Float32Array,
): void {
  const [x, y] = [low * count, high * count]
  for (let k = 0; k < count; k++) {
    const difference = logits[y + k]! - logits[x + k]! - wider
    const slope = (factor * nearness * weights[k]! * difference) / (1 + (difference / jump) ** 2)
    slopes[y + k]! += slope
    slopes[x + k]! -= slope
  }
}

/** Atoms that have neighbouring codes. */
function neighboursOf({ atoms, ordered = 0 }: MixtureAttribute, offset: number): Neighbours[] {
  const codes = new Float64Array(atoms.count)
  for (const atom of atoms.groupOf) codes[atom]!++
  const found: Neighbours[] = []
  for (let code = 1; code < ordered; code++) {
    const [x, y] = [atoms.groupOf[code - 1]!, atoms.groupOf[code]!]
    if (x === y) continue
    const [narrow, wide] = [codes[x]!, codes[y]!]
    found.push({ low: offset + x, high: offset + y, nearness: 2 / (narrow + wide), wider: Math.log(wide / narrow) })
  }
  return found
}
