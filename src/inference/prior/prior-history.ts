import type { LinearQuery, NoiseLaw } from '../../query/index.ts'
import type { Weights } from '../blue/compile.ts'
import { byCells, Covariances } from '../blue/marginals/covariance.ts'
import type { Kind } from '../blue/marginals/marginal-kinds.ts'
import { MarginalWeights } from '../blue/marginals/marginal-weights.ts'
import { weightOf } from '../blue/noisy-answers.ts'
import { type Law, lawOf, type Term, varianceOfError } from '../error-law/law.ts'
import type { Cells } from './cells.ts'
import { Precisions } from './precisions.ts'
import { type Equation, type Product, System } from './system.ts'

/** What somebody thinks of the question who began with a prior, in the data's units. */
export interface Belief {
  /** Of the best linear estimate's error. */
  readonly variance: number
  /** The error is Σ coefficient·noise: those of the answers, and a Gaussian one for what the prior leaves open. */
  readonly coefficients: readonly Term[]
}

interface Prior {
  /** The standard deviation of the question before there is any answer. */
  readonly deviation: number
  /** Is the number of records known? */
  readonly publicCount: boolean
  /** Up to so many scalar answers are taken in. */
  readonly mostScalars: number
}

/** A released query's noisy numbers, and their places among the equations: a refined one has several. */
interface Release {
  readonly law: Law
  readonly variance: number
  readonly places: readonly (readonly number[])[]
}

/** What depends on the marginals. */
interface Solved {
  readonly precisions: Precisions
  readonly product: Product
  readonly system: System
}

/**
 * All answers so far, without their values, as somebody sees them who was never wholly ignorant: every cell is an
 * independent Gaussian number beforehand, all with one variance. So nothing is impossible to estimate, and what is
 * nearly the question tells nearly as much as the question. Derived in docs/algorithms/guards.md
 */
export class PriorHistory {
  readonly #cells: Cells
  readonly #question: Weights
  readonly #prior: Prior
  /** What the prior leaves of a query whose mean square over the cells is 1. */
  readonly #variance: number
  readonly #marginals: Map<string, Kind>
  readonly #releases: Map<string, Release>
  readonly #equations: Equation[]
  #hasTooMany: boolean
  /** Nothing where marginals have changed since it was made; scalars wait until it is asked for. */
  #solved: Solved | undefined
  #belief: { readonly of: Belief | undefined } | undefined

  constructor(cells: Cells, question: Weights, prior: Prior, from?: PriorHistory) {
    this.#cells = cells
    this.#question = question
    this.#prior = prior
    this.#variance = from ? from.#variance : (prior.deviation / question.step) ** 2 / openShare(question, prior)
    this.#marginals = new Map(from ? from.#marginals : [])
    this.#releases = new Map(from ? from.#releases : [])
    this.#equations = from ? from.#equations.slice() : []
    this.#hasTooMany = from ? from.#hasTooMany : false
    const solved = from ? from.#solved : undefined
    this.#solved = solved && { ...solved, system: solved.system.fork() }
  }

  /** The same history, to try answers on. */
  fork(): PriorHistory {
    return new PriorHistory(this.#cells, this.#question, this.#prior, this)
  }

  /** Are there more answers than can be looked at together? */
  get isTooLarge(): boolean {
    return this.#hasTooMany || this.#equations.length > this.#prior.mostScalars
  }

  /**
   * As append does, for an answer that is only tried: a marginal of few cells is taken in as so many scalars, which tell the
   * same and leave the system as it is, where a marginal would make it anew.
   */
  try(id: string, query: LinearQuery, noise: NoiseLaw, replaces?: string): void {
    const { mostScalars } = this.#prior
    const asked = this.#cells.asked(query, mostScalars)
    const scalars = this.#equations.length
    const isFew = asked?.kind === 'marginal' && asked.cells <= Math.min(scalars / 4, mostScalars - scalars)
    const known = isFew && replaces === undefined && knownNoise(noise)
    if (!known) this.append(id, query, noise, replaces)
    else {
      this.#belief = undefined
      this.#addScalars(id, this.#cells.scalarsOf(query), known, undefined)
    }
  }

  /** `replaces` names the release of the same query that this one refines, which from then on does not count. */
  append(id: string, query: LinearQuery, noise: NoiseLaw, replaces?: string): void {
    const known = knownNoise(noise)
    if (!known) return
    this.#belief = undefined
    const asked = this.#cells.asked(query, this.#prior.mostScalars)
    if (asked?.kind === 'marginal') {
      if (replaces !== undefined) this.#marginals.delete(replaces)
      this.#marginals.set(id, { ...known, cells: asked.cells, marginals: [asked] })
      this.#solved = undefined
    } else if (asked) this.#addScalars(id, asked.weights, known, replaces)
    else this.#hasTooMany = true
  }

  /**
   * A refined answer is worth as much as the one before it and another, independent one of the precision that is missing:
   * so the equations stay as they are, and both have the refined answer's noise.
   */
  #addScalars(
    id: string,
    queries: readonly Weights[],
    { law, variance }: { readonly law: Law; readonly variance: number },
    replaces: string | undefined,
  ): void {
    const parent = replaces === undefined ? undefined : this.#releases.get(replaces)
    const missing = parent ? 1 / variance - 1 / parent.variance : 1 / variance
    const places = queries.map((weights, i) => {
      const before = parent ? parent.places[i]! : []
      return missing > 0 ? [...before, this.#equations.push({ weights, variance: 1 / missing }) - 1] : before
    })
    if (parent) this.#releases.delete(replaces!)
    this.#releases.set(id, { law, variance, places })
  }

  #settled(): Solved {
    this.#solved ??= this.#made()
    const { system } = this.#solved
    system.add(this.#equations.slice(system.size))
    return this.#solved
  }

  #made(): Solved {
    const precisions = new Precisions(this.#variance, this.#prior)
    for (const { cells, variance, marginals } of this.#marginals.values())
      for (const { attributes } of marginals) precisions.add(attributes, cells, variance)
    const products = new Covariances(precisions, byCells)
    const product = (q: Weights, other: Weights) => products.uncertain(q, other, this.#variance)
    return { precisions, system: new System(product), product }
  }

  /** Undefined where rounding leaves too few digits to say. */
  belief(): Belief | undefined {
    this.#belief ??= { of: this.#computed() }
    return this.#belief.of
  }

  #computed(): Belief | undefined {
    const { system, precisions, product } = this.#settled()
    const { shares, explained } = system.solve(this.#question)
    const variance = product(this.#question, this.#question) - explained
    const rounding = this.#rounding(shares)
    const scale = this.#question.step ** 2
    if (!(rounding * scale <= lost * this.#prior.deviation ** 2) || Number.isNaN(variance)) return undefined
    const answers = this.#noises(shares, precisions)
    const open = Math.max(0, scale * (variance - rounding) - varianceOfError(answers))
    return { variance: scale * variance, coefficients: [...answers, ...gaussian(open)] }
  }

  /** The noises of all answers in the error. */
  #noises(shares: Float64Array, precisions: Precisions): Term[] {
    const { step } = this.#question
    const terms = [...this.#releases.values()].flatMap(({ law, places }) =>
      places.map((of): Term => ({ law, count: 1, coefficient: step * of.reduce((sum, at) => sum + shares[at]!, 0) })),
    )
    const rest = this.#equations.map(({ weights }, i) => ({ weights, times: -shares[i]! }))
    const weights = new MarginalWeights(this.#cells.universe, precisions, [
      { weights: this.#question, times: 1 },
      ...rest,
    ])
    weights.terms([...this.#marginals.values()], step, terms)
    return terms
  }

  /**
   * How far the variance may be off. A covariance is right to some units in the last place of the product of the two
   * queries' sizes, a factor of m rows to some m; an error in the system changes the variance by sharesᵀ·error·shares.
   */
  #rounding(shares: Float64Array): number {
    const sizeOf = (weights: Weights) => Math.sqrt(this.#variance) * this.#cells.lengthOf(weights)
    const size = this.#equations.reduce(
      (sum, { weights, variance }, i) => sum + Math.abs(shares[i]!) * (sizeOf(weights) + Math.sqrt(variance)),
      sizeOf(this.#question),
    )
    return (this.#equations.length + units) * 2 ** -53 * size * size
  }
}

/** An answer without noise tells the number of records, which is public; noise beyond all numbers tells nothing. */
function knownNoise(noise: NoiseLaw): { readonly law: Law; readonly variance: number } | undefined {
  const law = lawOf(noise)
  const variance = law ? weightOf(law) : Number.POSITIVE_INFINITY
  return law && variance !== Number.POSITIVE_INFINITY ? { law, variance } : undefined
}

/** Rounding of one covariance, in units of the last place. */
const units = 64

/** More than this share of the prior's variance must not be lost in rounding. */
const lost = 1e-4

/** The mean square of what is open of a question where nothing is known but, perhaps, the number of records. */
export const openShare = (question: Weights, prior: Pick<Prior, 'publicCount'>): number =>
  new Covariances(new Precisions(1, prior), byCells).unknown(question, question)

/** A Gaussian noise of this variance, on so fine a grid that nobody could tell. */
function gaussian(variance: number): Term[] {
  const law: Law = { kind: 'gaussian', variance: 1e6 }
  return variance > 0 ? [{ law, coefficient: Math.sqrt(variance / law.variance), count: 1 }] : []
}
