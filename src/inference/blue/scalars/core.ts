import type { Weights } from '../compile.ts'
import type { Components } from '../marginals/components.ts'
import { byCells, Covariances } from '../marginals/covariance.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'
import type { Rounded } from '../rounding.ts'
import { Contrasts } from './contrasts.ts'
import type { Vector } from './corners.ts'
import { Information } from './information.ts'
import type { LeastSquares, Shares } from './least-squares.ts'
import { isListed } from './space.ts'
import type { Position, Span } from './span.ts'

/**
 * An answer, and how its query lies to the others. It is peeled, or in the core: waiting, used, or set aside. Answers
 * beyond the cap are set aside without a place.
 */
export interface Entry extends Vector {
  answer: ScalarAnswer
  /** The answer less what the marginals estimate for it; made when it is first asked for. */
  residual: Rounded | undefined
  position: Position | undefined
  state: 'peeled' | 'waiting' | 'used' | 'aside'
}

/** A query, so many times over. */
export interface Part {
  readonly weights: Weights
  readonly times: number
}

/** Refined solutions are off by at most so many times what fractions are. */
const leftByRefining = 2 ** 20

/**
 * Answers without a corner of their own: a basis of their queries is chosen (`span.ts`), and least squares combine them
 * (`information.ts`, `contrasts.ts`).
 */
export class Core {
  /** All answers, by query: those of the core are among them. */
  readonly #entries: ReadonlyMap<Weights, Entry>
  readonly #span: Span
  #squares: LeastSquares
  /** Combinations of the basis, in the order in which least squares have them. */
  #members: Weights[]
  /** Are all members' solutions fractions? */
  #areExact: boolean
  #hasRedundant: boolean

  constructor(
    entries: ReadonlyMap<Weights, Entry>,
    { span, squares }: { readonly span: Span; readonly squares: LeastSquares },
    from?: Core,
  ) {
    this.#entries = entries
    this.#span = span
    this.#squares = squares
    this.#members = from ? from.#members.slice() : []
    this.#areExact = from ? from.#areExact : true
    this.#hasRedundant = from ? from.#hasRedundant : false
  }

  /** The same, over copies of the entries. */
  fork(entries: ReadonlyMap<Weights, Entry>): Core {
    return new Core(entries, { span: this.#span.fork(), squares: this.#squares.fork() }, this)
  }

  get hasRedundant(): boolean {
    return this.#hasRedundant
  }

  /** Takes entries in. What was doubtful is tried again where the basis has grown. */
  add(entries: readonly Entry[]): void {
    const before = this.#span.basis.length
    this.#place(entries)
    const doubtful = [...this.#entries.values()].filter(({ position }) => position?.kind === 'doubtful')
    if (this.#span.basis.length > before) this.#place(doubtful)
    this.#takeIn()
  }

  /** Answers have less noise now; false where least squares must be made anew for it. */
  refine(successors: ReadonlyMap<Weights, ScalarAnswer>): boolean {
    if (!(this.#squares instanceof Information)) return false
    for (const [b, { weights }] of this.#span.basis.entries())
      if (successors.has(weights)) this.#squares.refineBasis(b, successors.get(weights)!.variance)
    for (const [j, weights] of this.#members.entries())
      if (successors.has(weights)) this.#squares.refineMember(j, successors.get(weights)!.variance)
    return true
  }

  /** Variances have changed, of answers or of the components, which must be the same ones. */
  refresh(components: Components): void {
    this.#squares = squaresOver(components)
    this.#members = []
    this.#hasRedundant = false
    for (const entry of this.#entries.values()) if (entry.position?.kind === 'dependent') entry.state = 'waiting'
    for (const { weights } of this.#span.basis) this.#squares.addBasis(this.#measured(weights))
    this.#takeIn()
  }

  /** Places entries, the most precise first: they make the better basis. */
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
  }

  #measured(weights: Weights) {
    return { weights, variance: this.#entries.get(weights)!.answer.variance }
  }

  /** The best combination for a query over `den`, and what it may miss; undefined where there is none. */
  combine(query: Vector, den: number): { shares: Shares; used: readonly Part[]; rounding: number } | undefined {
    const position = this.#span.place(query)
    if (position.kind !== 'dependent') return undefined
    const solution = position.solution.map((value) => value / den)
    const shares = this.#squares.shares({ weights: divided(query.weights, den), solution })
    const used = [
      ...partsOf(shares.basis, (b) => this.#span.basis[b]!.weights),
      ...partsOf(shares.members, (j) => this.#members[j]!),
    ]
    const isExact = position.exact && this.#areExact
    const missed = isExact ? shares.misses : this.#missed(query, den, shares, used)
    return { shares, used, rounding: this.#sizeOf(missed) }
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
  #missed(query: Vector, den: number, { misses }: Shares, used: readonly Part[]): Float64Array {
    const vectors = used.map(({ weights, times }) => ({ ...this.#entries.get(weights)!, times: -times }))
    const parts = [{ ...query, times: 1 / den }, ...vectors]
    if (!parts.every(isListed) || !this.#span.basis.every(isListed))
      return misses.map((share) => leftByRefining * share)
    const missed = this.#span.solve(parts)
    return misses.map((share, b) => share + 2 * Math.abs(missed[b]!))
  }
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
export const squaresOver = (components: Components): LeastSquares =>
  components.isSure ? new Information() : new Contrasts(new Covariances(components, byCells))

const divided = ({ terms, step }: Weights, den: number): Weights =>
  den === 1 ? { terms, step } : { terms: terms.map((term) => ({ ...term, coefficient: term.coefficient / den })), step }

const squareOf = ({ sparse }: Entry): number => sparse?.values.reduce((sum, value) => sum + value * value, 0) ?? 1
