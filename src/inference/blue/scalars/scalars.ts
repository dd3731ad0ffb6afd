import type { Universe } from '../../../schema/index.ts'
import type { Weights } from '../compile.ts'
import { Components } from '../marginals/components.ts'
import { byCells, Covariances } from '../marginals/covariance.ts'
import type { Combination } from '../marginals/marginal-weights.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'
import { Certainty } from '../proof/certainty.ts'
import { type Rounded, unit, unitsOf } from '../rounding.ts'
import { Contrasts } from './contrasts.ts'
import { Corners, type Listed, type Vector } from './corners.ts'
import { Information } from './information.ts'
import type { LeastSquares, Shares } from './least-squares.ts'
import { type Peeled, peel } from './peel.ts'
import { reduce } from './reduction.ts'
import { isListed, Space } from './space.ts'
import { type Position, Span } from './span.ts'

/** An estimate in steps of the question, and the weight of every scalar answer in it. */
export interface Combined {
  readonly estimate: number
  /** How far rounding may have moved the estimate. */
  readonly rounding: number
  readonly variance: number
  /** Whether it is from answers with corners of their own alone: nothing else could tell more. */
  readonly isFinal?: boolean
  /** As in `Shares`. */
  readonly largest: number
  readonly excess: number
  readonly deviations: number
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
  residual: Rounded | undefined
  position: Position | undefined
  state: 'peeled' | 'waiting' | 'used' | 'aside'
}

/**
 * Scalar answers on top of marginals: docs/algorithms/blue.md, sections 2 and 3. This is the room's main file. A query is a
 * vector of integers at its corners (`corners.ts`); rows with a corner of their own are peeled (`peel.ts`, `reduction.ts`); of
 * the others a basis is chosen (`span.ts`), and least squares combine them (`information.ts`, `contrasts.ts`). Which queries are combinations of which depends on the components that marginals
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
  /** Queries by all of their corners, those that marginals know included. */
  readonly #everything: Corners
  #peeled: readonly Peeled<Entry & Listed>[] = []
  /** Answers of the core that are not placed yet: that takes long, and is done when a question first needs it. */
  #unplaced: readonly Entry[] = []
  /** Whether an answer of the core has a corner. */
  #isHeld: (corner: number) => boolean = () => false
  /** Whether all answers are peeled or in the core. */
  #isPeeled = true
  /** Answers whose corners are not known. */
  #unlisted = 0
  #squares: LeastSquares
  /** Combinations of the basis, in the order in which least squares have them. */
  #members: Weights[] = []
  /** Are all members' solutions fractions? */
  #areExact = true
  #hasRedundant = false
  /** Those that are set aside. */
  #asides: readonly ScalarAnswer[] = []

  constructor(universe: Universe, components: Components, most: number, random: () => number, from?: Scalars) {
    this.#universe = universe
    this.#most = most
    this.#random = random
    this.#components = components
    this.signature = components.signature
    this.#corners = from ? from.#corners : new Corners(components)
    this.#everything = from ? from.#everything : new Corners(new Components(universe))
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
    this.#areExact = from ? from.#areExact : true
    this.#hasRedundant = from ? from.#hasRedundant : false
    this.#asides = from ? from.#asides : []
    this.#unlisted = from ? from.#unlisted : 0
    this.#isPeeled = !from
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
    return this.#asides.length
  }

  /** Are there answers that least squares could not tell from others, since their noise is lost beside that of marginals? */
  get hasRedundant(): boolean {
    return this.#hasRedundant
  }

  add(answers: readonly ScalarAnswer[]): void {
    for (const answer of answers) {
      const { weights } = answer
      const fits = this.#entries.size < this.#most
      const sparse = fits ? this.#corners.of(weights) : undefined
      if (!sparse) this.#unlisted++
      this.#entries.set(weights, {
        answer,
        weights,
        sparse,
        residual: undefined,
        position: undefined,
        state: fits ? 'peeled' : 'aside',
      })
    }
    this.#isPeeled = false
    this.#asides = this.#setAside()
  }

  /** Places what is in the core and was not placed yet. */
  #settle(): void {
    this.#peel()
    if (this.#unplaced.length === 0) return
    const before = this.#span.basis.length
    this.#place(this.#unplaced)
    this.#unplaced = []
    const doubtful = [...this.#entries.values()].filter(({ position }) => position?.kind === 'doubtful')
    if (this.#span.basis.length > before) this.#place(doubtful)
    this.#takeIn()
  }

  /** Refined answers to the same queries. */
  replace(successors: ReadonlyMap<Weights, ScalarAnswer>): void {
    for (const [weights, answer] of successors)
      Object.assign(this.#entries.get(weights)!, { answer, residual: undefined })
    this.#asides = this.#setAside()
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
    this.#hasRedundant = false
    for (const entry of this.#entries.values()) {
      entry.residual = undefined
      if (entry.position?.kind === 'dependent') entry.state = 'waiting'
    }
    for (const { weights } of this.#span.basis) this.#squares.addBasis(this.#measured(weights))
    this.#takeIn()
  }

  /** Peels anew, with what has come since. What was placed in the core stays there. */
  #peel(): void {
    if (this.#isPeeled) return
    const all = [...this.#entries.values()]
    const outside = all.filter(({ state }) => state === 'peeled')
    const inside = all.filter(({ position }) => position)
    const unlisted = [...outside, ...inside].filter((entry) => !isListed(entry))
    const isTaken = (corner: number) => unlisted.some(({ weights }) => this.#corners.valueAt(weights, corner) !== 0)
    const { peeled, core, isHeld } = peel(outside.filter(isListed), inside.filter(isListed), {
      count: this.#corners.count,
      isTaken,
    })
    this.#peeled = peeled
    this.#unplaced = [...core, ...outside.filter((entry) => !isListed(entry))]
    this.#isHeld = isHeld
    this.#isPeeled = true
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
      if (position.kind === 'dependent' && !position.exact) this.#areExact = false
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
    if (useless.size > 0) this.#hasRedundant = true
    for (const { weights } of members) {
      this.#entries.get(weights)!.state = useless.has(weights) ? 'aside' : 'used'
      if (!useless.has(weights)) this.#members.push(weights)
    }
    this.#asides = this.#setAside()
  }

  #measured(weights: Weights) {
    return { weights, variance: this.#entries.get(weights)!.answer.variance }
  }

  #setAside(): ScalarAnswer[] {
    return [...this.#entries.values()].filter(({ state }) => state === 'aside').map(({ answer }) => answer)
  }

  /**
   * The best estimate; undefined when the history does not determine the question. `others` are answers that are used
   * alone as well.
   */
  estimate(weights: Weights, others: readonly ScalarAnswer[] = []): Combined | undefined {
    const joint = this.#joint(weights)
    return [...this.#asides, ...others].reduce((best, answer) => {
      const alone = this.#alone(weights, answer)
      return alone && !(best && best.variance <= alone.variance) ? alone : best
    }, joint)
  }

  /**
   * What can be said without the core. A question that is a sum of peeled answers has no better estimate: each of these has
   * a parameter to itself. One that has a corner which no answer has cannot be estimated: null. Else undefined.
   */
  estimateAtOnce(weights: Weights): Combined | null | undefined {
    if (this.#unlisted > 0) return undefined
    const sparse = this.#corners.asked(weights)
    this.#peel()
    const reduction = sparse && reduce({ weights, sparse }, this.#peeled, this.#corners)
    if (!reduction?.rest.sparse) return undefined
    const { at } = reduction.rest.sparse
    if (at.some((corner) => corner >= this.#corners.count || !this.#isHeld(corner))) return null
    if (at.length > 0 || this.#everything.asked(reduction.rest.weights)?.at.length !== 0) return undefined
    const used = reduction.rows.map(({ row, times }) => ({ weights: row.weights, times }))
    const variance = reduction.rows.reduce((sum, { row, times }) => sum + times * times * row.answer.variance, 0)
    const { value: estimate, rounding } = this.#sum(weights, used)
    return {
      estimate,
      rounding,
      ...this.#made(weights, used),
      variance,
      largest: variance,
      excess: 0,
      deviations: 0,
      isFinal: true,
    }
  }

  #joint(weights: Weights): Combined | undefined {
    const atOnce = this.estimateAtOnce(weights)
    if (atOnce !== undefined) return atOnce ?? undefined
    this.#settle()
    const reduction = reduce({ weights, sparse: this.#corners.asked(weights) }, this.#peeled, this.#corners)
    const position = reduction && this.#span.place(reduction.rest)
    if (position?.kind !== 'dependent') return undefined
    const { rows, rest, den } = reduction!
    const solution = position.solution.map((value) => value / den)
    const shares = this.#squares.shares({ weights: divided(rest.weights, den), solution })
    const used = [
      ...rows.map(({ row, times }) => ({ weights: row.weights, times })),
      ...partsOf(shares.basis, (b) => this.#span.basis[b]!.weights),
      ...partsOf(shares.members, (j) => this.#members[j]!),
    ]
    const alone = rows.reduce((sum, { row, times }) => sum + times * times * row.answer.variance, 0)
    const { value, rounding } = this.#sum(weights, used)
    const isExact = position.exact && this.#areExact
    const missed = isExact ? shares.misses : this.#missed(rest, den, shares, used.slice(rows.length))
    return {
      estimate: value,
      rounding: rounding + this.#sizeOf(missed),
      variance: shares.variance + alone,
      largest: shares.largest + alone,
      excess: shares.excess,
      deviations: shares.deviations,
      ...this.#made(weights, used),
    }
  }

  #made(weights: Weights, used: readonly Part[]): Pick<Combined, 'answers' | 'rest'> {
    return {
      answers: used.map(({ weights: of, times }) => ({ answer: this.#entries.get(of)!.answer, times })),
      rest: () => [{ weights, times: 1 }, ...used.map(({ weights: of, times }) => ({ weights: of, times: -times }))],
    }
  }

  /** What marginals say, and what the answers add to it. A sum of integers is exact. */
  #sum(question: Weights, used: readonly Part[]): Rounded {
    const own = this.#components.estimate(question)
    let [value, rounding, size] = [own.value, own.rounding, Math.abs(own.value)]
    let isWhole = Number.isSafeInteger(own.value)
    for (const { weights, times } of used) {
      const residual = this.#residual(weights)
      value += times * residual.value
      rounding += Math.abs(times) * residual.rounding
      size += Math.abs(times * residual.value)
      isWhole &&= Number.isInteger(times) && Number.isInteger(residual.value)
    }
    const isExact = isWhole && Number.isSafeInteger(size)
    return { value, rounding: isExact ? rounding : rounding + unitsOf(used.length) * unit * size }
  }

  #residual(weights: Weights): Rounded {
    const entry = this.#entries.get(weights)!
    entry.residual ??= this.#differenceOf(entry.answer, this.#components.estimate(weights))
    return entry.residual
  }

  #differenceOf({ value, rounding = 0 }: ScalarAnswer, estimate: Rounded): Rounded {
    const difference = value - estimate.value
    const isExact = Number.isSafeInteger(value) && Number.isSafeInteger(estimate.value)
    const own = isExact ? 0 : 2 * unit * Math.abs(difference)
    return { value: difference, rounding: rounding + estimate.rounding + own }
  }

  /**
   * How far these shares of the basis' exact answers may be from 0: none is larger than its noisy answer and 8 deviations of
   * the noise, or nearly.
   */
  #sizeOf(shares: Float64Array): number {
    return shares.reduce((sum, share, b) => {
      if (share === 0) return sum
      const { value, variance } = this.#entries.get(this.#span.basis[b]!.weights)!.answer
      return sum + share * (Math.abs(value) + 8 * Math.sqrt(variance))
    }, 0)
  }

  /**
   * What shares miss of a question's solution where solutions are refined numbers: found from the queries themselves, or
   * where not all are listed, by what refinement has left at most.
   */
  #missed(rest: Vector, den: number, { misses }: Shares, used: readonly Part[]): Float64Array {
    const vectors = used.map(({ weights, times }) => ({ ...this.#entries.get(weights)!, times: -times }))
    const parts = [{ ...rest, times: 1 / den }, ...vectors]
    if (!parts.every(isListed) || !this.#span.basis.every(isListed))
      return misses.map((share) => leftByRefining * share)
    const missed = this.#span.solve(parts)
    return misses.map((share, b) => share + 2 * Math.abs(missed[b]!))
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
    const estimate = times * answer.value
    return {
      estimate,
      rounding:
        Math.abs(times) * (answer.rounding ?? 0) +
        (Number.isInteger(times) && Number.isSafeInteger(estimate) ? 0 : 2 * unit * Math.abs(estimate)),
      variance,
      largest: variance,
      excess: 0,
      deviations: 0,
      answers: [{ answer, times }],
      rest: () => [],
    }
  }
}

/** Refined solutions are off by at most so many times what fractions are. */
const leftByRefining = 2 ** 20

/** A query, so many times over. */
interface Part {
  readonly weights: Weights
  readonly times: number
}

/** Those of the queries that have a share. */
function partsOf(shares: Float64Array, queryAt: (place: number) => Weights): Part[] {
  const parts: Part[] = []
  shares.forEach((times, i) => {
    if (times !== 0) parts.push({ weights: queryAt(i), times })
  })
  return parts
}

/** Where marginals leave nothing uncertain, answers are independent. */
const squaresOver = (components: Components): LeastSquares =>
  components.isSure ? new Information() : new Contrasts(new Covariances(components, byCells))

const divided = ({ terms, step }: Weights, den: number): Weights =>
  den === 1 ? { terms, step } : { terms: terms.map((term) => ({ ...term, coefficient: term.coefficient / den })), step }

const squareOf = ({ sparse }: Entry): number => sparse?.values.reduce((sum, value) => sum + value * value, 0) ?? 1
