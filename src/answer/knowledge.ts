import {
  type Estimate,
  type Estimated,
  type History,
  openHistory,
  type Posterior,
  posteriorByCharacteristic,
} from '../inference/index.ts'
import { answerSize, type LinearQuery, marginalOver } from '../query/index.ts'
import type { Book } from '../trusted/ledger/index.ts'

/**
 * A question's groups times the work of one of them may be so much, in multiplications or nearly: two seconds or three.
 * With more the history is not consulted.
 */
const mostWork = 2e9
/** A posterior takes about a millisecond. */
const workOfPosterior = 1e6
const workOfCell = 20

/** What the history says about one number: its best estimate, and the law of that estimate's error. */
export interface Known {
  readonly estimate: number
  /** The same for numbers that are alike. */
  readonly made: Pick<Estimated, 'variance' | 'coefficients' | 'sources'>
  posterior(blur?: number): Posterior
}

/** Everything released so far, as estimates; kept warm between questions of one process. */
export class Knowledge {
  readonly #book: Book
  readonly #random: () => number
  #history: History | undefined
  #epoch = 0
  #read = new Set<number>()
  /** Noisy numbers in full marginals, and all others. */
  #cells = 0
  #scalars = 0

  /** `random` gives uniform numbers below 1, for proofs about public numbers. */
  constructor(book: Book, random: () => number) {
    this.#book = book
    this.#random = random
  }

  /** One entry per group of the query; undefined where the history does not tell, or there are too many groups. */
  about(query: LinearQuery): readonly Known[] | undefined {
    const history = this.#follow()
    if (!this.isConsulted(query)) return undefined
    if (query.by.length === 0) {
      const only = history.estimate(query)
      return only.estimable ? [known(only)] : undefined
    }
    const estimates = history.estimates(query)
    if (!estimates.every(isEstimable)) return undefined
    return this.#isUniform(query) ? alike(estimates) : estimates.map(known)
  }

  /** Whether the history can be asked about so many groups in a reasonable time. */
  isConsulted(query: LinearQuery): boolean {
    const each = workOfPosterior + workOfCell * this.#cells + this.#scalars ** 2
    return this.#isUniform(query) || answerSize(query, this.#book.universe) * each <= Math.max(mostWork, each)
  }

  /** From marginals alone the cells of a marginal are all told in the same way: their errors have one law. */
  #isUniform(query: LinearQuery): boolean {
    return this.#scalars === 0 && marginalOver(query) !== undefined
  }

  /** Takes in what was recorded since the last time; an epoch begins with nothing. */
  #follow(): History {
    if (!this.#history || this.#epoch !== this.#book.epochs) {
      this.#history = openHistory(this.#book.universe, { random: this.#random })
      this.#epoch = this.#book.epochs
      this.#read = new Set()
      this.#cells = this.#scalars = 0
    }
    for (const { seq, state, measurements, refines } of this.#book.releases) {
      if (state !== 'recorded' || this.#read.has(seq)) continue
      for (const measurement of measurements) {
        this.#history.append(measurement, refines === null ? undefined : { replaces: refines })
        if (refines !== null || measurement.law.kind === 'none') continue
        if (marginalOver(measurement.query)) this.#cells += measurement.values.length
        else this.#scalars += measurement.values.length
      }
      this.#read.add(seq)
    }
    return this.#history
  }
}

const isEstimable = (estimate: Estimate): estimate is Estimated => estimate.estimable

const known = (made: Estimated): Known => ({ estimate: made.estimate, made, posterior: posteriorOf(made) })

/** Every posterior is computed once. */
function posteriorOf(made: Known['made']): Known['posterior'] {
  const posteriors = new Map<number | undefined, Posterior>()
  return (blur) => {
    let posterior = posteriors.get(blur)
    if (!posterior) {
      posterior = posteriorByCharacteristic(made.coefficients, blur === undefined ? {} : { blur })
      posteriors.set(blur, posterior)
    }
    return posterior
  }
}

/** Estimates whose errors have one law. */
function alike(estimates: readonly Estimated[]): Known[] {
  const made = estimates[0]!
  const posterior = posteriorOf(made)
  return estimates.map(({ estimate }) => ({ estimate, made, posterior }))
}
