import type { Universe } from '../../schema/index.ts'
import { Certainty } from './certainty.ts'
import type { Weights } from './compile.ts'
import { Components } from './components.ts'
import { Contrasts } from './contrasts.ts'
import { Covariances } from './covariance.ts'
import type { Combination } from './marginal-weights.ts'
import type { ScalarAnswer } from './read.ts'
import { type Position, Span } from './span.ts'

/** Answers that are taken in together: enough of them to multiply matrices with. */
const together = 128

/** An estimate in steps of the question, and the weight of every scalar answer in it. */
export interface Combined {
  readonly estimate: number
  readonly variance: number
  /** The largest of the numbers that the variance is a difference of. */
  readonly largest: number
  readonly answers: readonly { readonly answer: ScalarAnswer; readonly times: number }[]
  /** The question less the answers' queries, so weighted: what is left to the marginals. */
  readonly rest: () => Combination
}

/** An answer, and how its query lies to the others. Answers beyond the cap have no place and are used alone. */
interface Entry {
  answer: ScalarAnswer
  position: Position | undefined
  state: 'new' | 'used' | 'aside'
}

/**
 * Scalar answers on top of marginals. Which queries are combinations of which depends on the components that marginals
 * know, so `Span` is kept for as long as these are the same; `Contrasts` depend on every variance.
 */
export class Scalars {
  readonly #universe: Universe
  readonly #most: number
  readonly #random: () => number
  readonly #entries: Map<Weights, Entry>
  readonly #span: Span
  readonly #identity: { readonly covariances: Covariances; readonly certainty: Certainty }
  /** Of the components: answers may stay where they are as long as it is the same. */
  readonly signature: string
  #components: Components
  #contrasts: Contrasts

  constructor(universe: Universe, components: Components, most: number, random: () => number, from?: Scalars) {
    this.#universe = universe
    this.#most = most
    this.#random = random
    this.#components = components
    this.signature = components.signature
    this.#entries = new Map(from && [...from.#entries].map(([weights, entry]) => [weights, { ...entry }]))
    const covariances = () => new Covariances(universe, components)
    this.#span = from ? from.#span.fork() : new Span(covariances(), Certainty.over(universe, components, random))
    this.#contrasts = from ? from.#contrasts.fork() : new Contrasts(covariances(), !components.isEmpty)
    this.#identity = from
      ? from.#identity
      : {
          covariances: new Covariances(universe, new Components(universe)),
          certainty: Certainty.over(universe, undefined, random),
        }
  }

  /** The same answers, to go on with in another way; O(answers), what is large is shared. */
  fork(): Scalars {
    return new Scalars(this.#universe, this.#components, this.#most, this.#random, this)
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** Number of answers that are used alone: beyond the cap, or too near to others to tell what they add. */
  get leftOut(): number {
    return this.#asides().length
  }

  add(answers: readonly ScalarAnswer[]): void {
    const placed: Weights[] = []
    for (const answer of answers) {
      const fits = this.#entries.size < this.#most
      this.#entries.set(answer.weights, { answer, position: undefined, state: fits ? 'new' : 'aside' })
      if (fits) placed.push(answer.weights)
    }
    const before = this.#span.basis.length
    this.#place(placed)
    const doubtful = [...this.#entries.keys()].filter((w) => this.#entries.get(w)!.position?.kind === 'doubtful')
    if (this.#span.basis.length > before) this.#place(doubtful)
    this.#takeIn()
  }

  /** Refined answers to the same queries. */
  replace(successors: ReadonlyMap<Weights, ScalarAnswer>): void {
    for (const [weights, answer] of successors) this.#entries.get(weights)!.answer = answer
    this.refresh(this.#components)
  }

  /** Variances have changed, of answers or of the components, which must be the same ones. */
  refresh(components: Components): void {
    this.#components = components
    this.#contrasts = new Contrasts(new Covariances(this.#universe, components), !components.isEmpty)
    for (const entry of this.#entries.values()) if (entry.position) entry.state = 'new'
    this.#takeIn()
  }

  #place(queries: readonly Weights[]): void {
    for (const [k, position] of this.#span.add(queries).entries()) {
      const state = position.kind === 'doubtful' ? 'aside' : 'new'
      Object.assign(this.#entries.get(queries[k]!)!, { position, state })
    }
  }

  #takeIn(): void {
    for (const weights of this.#span.basis.slice(this.#contrasts.basis.length)) {
      this.#contrasts.addBasis(this.#scalar(weights))
      this.#entries.get(weights)!.state = 'used'
    }
    const members = [...this.#entries].flatMap(([weights, { position, state }]) =>
      position?.kind === 'dependent' && state === 'new'
        ? [{ ...this.#scalar(weights), solution: position.solution }]
        : [],
    )
    for (const { weights } of members) this.#entries.get(weights)!.state = 'used'
    for (let i = 0; i < members.length; i += together)
      for (const { weights } of this.#contrasts.addMembers(members.slice(i, i + together)))
        this.#entries.get(weights)!.state = 'aside'
  }

  #scalar(weights: Weights) {
    const { value, variance } = this.#entries.get(weights)!.answer
    return { weights, variance, residual: value - this.#components.estimate(weights) }
  }

  #asides(): ScalarAnswer[] {
    return [...this.#entries.values()].filter(({ state }) => state === 'aside').map(({ answer }) => answer)
  }

  /** The best estimate; undefined when the history does not determine the question. */
  estimate(weights: Weights): Combined | undefined {
    const joint = this.#joint(weights)
    return this.#asides().reduce((best, answer) => {
      const alone = this.#alone(weights, answer)
      return alone && !(best && best.variance <= alone.variance) ? alone : best
    }, joint)
  }

  #joint(weights: Weights): Combined | undefined {
    const position = this.#span.place(weights)
    if (position.kind !== 'dependent') return undefined
    const question = { weights, solution: position.solution }
    const { correction, variance, largest, basis, members } = this.#contrasts.estimate(question)
    const used = [
      ...Array.from(basis, (times, b) => ({ weights: this.#contrasts.basis[b]!.weights, times })),
      ...Array.from(members, (times, j) => ({ weights: this.#contrasts.members[j]!.scalar.weights, times })),
    ].filter(({ times }) => times !== 0)
    return {
      estimate: this.#components.estimate(weights) + correction,
      variance,
      largest,
      answers: used.map(({ weights: of, times }) => ({ answer: this.#entries.get(of)!.answer, times })),
      rest: () => [{ weights, times: 1 }, ...used.map(({ weights: of, times }) => ({ weights: of, times: -times }))],
    }
  }

  /** The question answered by one measurement of the same query, or a multiple of it. */
  #alone(weights: Weights, answer: ScalarAnswer): Combined | undefined {
    const { covariances, certainty } = this.#identity
    const product = covariances.unknown(weights, answer.weights)
    const [own, other] = [weights, answer.weights].map((w) => covariances.unknown(w, w)) as [number, number]
    // Far from parallel: not worth a proof.
    if (product * product < 0.999 * own * other) return undefined
    const ratio = product / other
    const [times] = certainty.prove(weights, [answer.weights], Float64Array.of(ratio)) ?? []
    if (times === undefined) return undefined
    const variance = times * times * answer.variance
    return {
      estimate: times * answer.value,
      variance,
      largest: variance,
      answers: [{ answer, times }],
      rest: () => [],
    }
  }
}
