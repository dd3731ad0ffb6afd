import type { Universe } from '../../../schema/index.ts'
import type { Weights } from '../compile.ts'
import { Components } from '../marginals/components.ts'
import { byCells, Covariances } from '../marginals/covariance.ts'
import type { Combination } from '../marginals/marginal-weights.ts'
import { Certainty } from '../proof/certainty.ts'
import type { ScalarAnswer } from '../read.ts'
import { Contrasts } from './contrasts.ts'
import { Corners, type Listed, type Vector } from './corners.ts'
import { Information } from './information.ts'
import type { LeastSquares } from './least-squares.ts'
import { type Peeled, peel } from './peel.ts'
import { reduce } from './reduction.ts'
import { isListed, Space } from './space.ts'
import { type Position, Span } from './span.ts'

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

/**
 * An answer, and how its query lies to the others. It is peeled, or in the core: waiting, used, or set aside. Answers
 * beyond the cap are set aside without a place.
 */
interface Entry extends Vector {
  answer: ScalarAnswer
  /** The answer less what the marginals estimate for it; made when it is first asked for. */
  residual: number | undefined
  position: Position | undefined
  state: 'peeled' | 'waiting' | 'used' | 'aside'
}

/**
 * Scalar answers on top of marginals. Which queries are combinations of which depends on the components that marginals
 * know, so what is peeled and the core's `Span` are kept for as long as these are the same; least squares depend on
 * every variance.
 */
export class Scalars {
  readonly #universe: Universe
  readonly #most: number
  readonly #random: () => number
  readonly #entries: Map<Weights, Entry>
  readonly #corners: Corners
  readonly #span: Span
  readonly #identity: { readonly products: Covariances; readonly certainty: Certainty }
  /** Of the components: answers may stay where they are as long as it is the same. */
  readonly signature: string
  #components: Components
  #peeled: readonly Peeled<Entry & Listed>[] = []
  #squares: LeastSquares
  /** Combinations of the basis, in the order in which least squares have them. */
  #members: Weights[] = []

  constructor(universe: Universe, components: Components, most: number, random: () => number, from?: Scalars) {
    this.#universe = universe
    this.#most = most
    this.#random = random
    this.#components = components
    this.signature = components.signature
    this.#corners = from ? from.#corners : new Corners(components)
    this.#span = from
      ? from.#span.fork()
      : new Span(new Space(components, this.#corners), Certainty.over(universe, components, random))
    this.#squares = from ? from.#squares.fork() : squaresOver(components)
    this.#identity = from
      ? from.#identity
      : {
          products: new Covariances(new Components(universe), byCells),
          certainty: Certainty.over(universe, undefined, random),
        }
    this.#entries = new Map(from ? Array.from(from.#entries, ([weights, entry]) => [weights, { ...entry }]) : [])
    this.#members = from ? from.#members.slice() : []
    if (from)
      this.#peeled = from.#peeled.map((p) => ({ ...p, row: this.#entries.get(p.row.weights) as Entry & Listed }))
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
    for (const answer of answers) {
      const { weights } = answer
      const fits = this.#entries.size < this.#most
      const sparse = fits ? this.#corners.of(weights) : undefined
      this.#entries.set(weights, {
        answer,
        weights,
        sparse,
        residual: undefined,
        position: undefined,
        state: fits ? 'peeled' : 'aside',
      })
    }
    const before = this.#span.basis.length
    this.#place(this.#peel())
    const doubtful = [...this.#entries.values()].filter(({ position }) => position?.kind === 'doubtful')
    if (this.#span.basis.length > before) this.#place(doubtful)
    this.#takeIn()
  }

  /** Refined answers to the same queries. */
  replace(successors: ReadonlyMap<Weights, ScalarAnswer>): void {
    for (const [weights, answer] of successors)
      Object.assign(this.#entries.get(weights)!, { answer, residual: undefined })
    if (!(this.#squares instanceof Information)) {
      this.refresh(this.#components)
      return
    }
    for (const [b, { weights }] of this.#span.basis.entries())
      if (successors.has(weights)) this.#squares.refineBasis(b, successors.get(weights)!.variance)
    for (const [j, weights] of this.#members.entries())
      if (successors.has(weights)) this.#squares.refineMember(j, successors.get(weights)!.variance)
  }

  /** Variances have changed, of answers or of the components, which must be the same ones. */
  refresh(components: Components): void {
    this.#components = components
    this.#squares = squaresOver(components)
    this.#members = []
    for (const entry of this.#entries.values()) {
      entry.residual = undefined
      if (entry.position?.kind === 'dependent') entry.state = 'waiting'
    }
    for (const { weights } of this.#span.basis) this.#squares.addBasis(this.#measured(weights))
    this.#takeIn()
  }

  /** Peels anew, with what has come since; returns what has to go into the core. What is there stays. */
  #peel(): Entry[] {
    const all = [...this.#entries.values()]
    const outside = all.filter(({ state }) => state === 'peeled')
    const inside = all.filter(({ position }) => position)
    const unlisted = [...outside, ...inside].filter((entry) => !isListed(entry))
    const isTaken = (corner: number) => unlisted.some(({ weights }) => this.#corners.valueAt(weights, corner) !== 0)
    const { peeled, core } = peel(outside.filter(isListed), inside.filter(isListed), {
      count: this.#corners.count,
      isTaken,
    })
    this.#peeled = peeled
    return [...core, ...outside.filter((entry) => !isListed(entry))]
  }

  /** Takes entries into the core, the most precise first: they make the better basis. */
  #place(entries: readonly Entry[]): void {
    const sorted = entries
      .map((entry) => ({ entry, precision: squareOf(entry) / entry.answer.variance }))
      .sort((x, y) => y.precision - x.precision)
      .map(({ entry }) => entry)
    const before = this.#span.basis.length
    const positions = this.#span.add(
      sorted.map(({ weights, sparse, answer }) => ({ weights, sparse, variance: answer.variance })),
    )
    for (const [k, position] of positions.entries()) {
      const state = position.kind === 'doubtful' ? 'aside' : position.kind === 'independent' ? 'used' : 'waiting'
      Object.assign(sorted[k]!, { position, state })
    }
    for (const { weights } of this.#span.basis.slice(before)) this.#squares.addBasis(this.#measured(weights))
  }

  #takeIn(): void {
    const members = [...this.#entries.values()].flatMap(({ weights, position, state }) =>
      position?.kind === 'dependent' && state === 'waiting'
        ? [{ ...this.#measured(weights), solution: position.solution }]
        : [],
    )
    const useless = new Set(this.#squares.addMembers(members).map(({ weights }) => weights))
    for (const { weights } of members) {
      this.#entries.get(weights)!.state = useless.has(weights) ? 'aside' : 'used'
      if (!useless.has(weights)) this.#members.push(weights)
    }
  }

  #measured(weights: Weights) {
    return { weights, variance: this.#entries.get(weights)!.answer.variance }
  }

  #asides(): ScalarAnswer[] {
    return [...this.#entries.values()].filter(({ state }) => state === 'aside').map(({ answer }) => answer)
  }

  /**
   * The best estimate; undefined when the history does not determine the question. `others` are answers that are used
   * alone as well.
   */
  estimate(weights: Weights, others: readonly ScalarAnswer[] = []): Combined | undefined {
    const joint = this.#joint(weights)
    return [...this.#asides(), ...others].reduce((best, answer) => {
      const alone = this.#alone(weights, answer)
      return alone && !(best && best.variance <= alone.variance) ? alone : best
    }, joint)
  }

  #joint(weights: Weights): Combined | undefined {
    const reduction = reduce({ weights, sparse: this.#corners.asked(weights) }, this.#peeled, this.#corners)
    const position = reduction && this.#span.place(reduction.rest)
    if (position?.kind !== 'dependent') return undefined
    const { rows, rest, den } = reduction!
    const solution = position.solution.map((value) => value / den)
    const shares = this.#squares.shares({ weights: divided(rest.weights, den), solution })
    const used = [
      ...rows.map(({ row, times }) => ({ weights: row.weights, times })),
      ...Array.from(shares.basis, (times, b) => ({ weights: this.#span.basis[b]!.weights, times })),
      ...Array.from(shares.members, (times, j) => ({ weights: this.#members[j]!, times })),
    ].filter(({ times }) => times !== 0)
    const answers = used.map(({ weights: of, times }) => ({ answer: this.#entries.get(of)!.answer, times }))
    const alone = rows.reduce((sum, { row, times }) => sum + times * times * row.answer.variance, 0)
    return {
      estimate: used.reduce(
        (sum, { weights: of, times }) => sum + times * this.#residual(of),
        this.#components.estimate(weights),
      ),
      variance: shares.variance + alone,
      largest: shares.largest + alone,
      answers,
      rest: () => [{ weights, times: 1 }, ...used.map(({ weights: of, times }) => ({ weights: of, times: -times }))],
    }
  }

  #residual(weights: Weights): number {
    const entry = this.#entries.get(weights)!
    entry.residual ??= entry.answer.value - this.#components.estimate(weights)
    return entry.residual
  }

  /** The question answered by one measurement of the same query, or a multiple of it. */
  #alone(weights: Weights, answer: ScalarAnswer): Combined | undefined {
    const { products, certainty } = this.#identity
    const product = products.unknown(weights, answer.weights)
    const [own, other] = [weights, answer.weights].map((w) => products.unknown(w, w)) as [number, number]
    // Far from parallel: not worth a proof.
    if (product * product < 0.999 * own * other) return undefined
    const times = certainty.multiple(weights, answer.weights, product / other)
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

/** Where marginals leave nothing uncertain, answers are independent. */
const squaresOver = (components: Components): LeastSquares =>
  components.isSure ? new Information() : new Contrasts(new Covariances(components, byCells))

const divided = ({ terms, step }: Weights, den: number): Weights =>
  den === 1 ? { terms, step } : { terms: terms.map((term) => ({ ...term, coefficient: term.coefficient / den })), step }

const squareOf = ({ sparse }: Entry): number => sparse?.values.reduce((sum, value) => sum + value * value, 0) ?? 1
