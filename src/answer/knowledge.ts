import {
  type Estimate,
  type Estimated,
  type History,
  openHistory,
  type Posterior,
  posteriorByCharacteristic,
} from '../inference/index.ts'
import { answerSize, type LinearQuery } from '../query/index.ts'
import type { Book } from '../trusted/ledger/index.ts'

/** Above so many groups the history is not consulted: every group has a posterior of its own. */
const mostGroups = 64

/** What the history says about one number: its best estimate, and the law of that estimate's error. */
export interface Known {
  readonly estimate: number
  readonly made: Estimated
  posterior(blur?: number): Posterior
}

/** Everything released so far, as estimates; kept warm between questions of one process. */
export class Knowledge {
  readonly #book: Book
  readonly #random: () => number
  #history: History | undefined
  #epoch = 0
  #read = new Set<number>()

  /** `random` gives uniform numbers below 1, for proofs about public numbers. */
  constructor(book: Book, random: () => number) {
    this.#book = book
    this.#random = random
  }

  /** One entry per group of the query; undefined where the history does not tell, or there are too many groups. */
  about(query: LinearQuery): readonly Known[] | undefined {
    if (answerSize(query, this.#book.universe) > mostGroups) return undefined
    const history = this.#follow()
    const estimates = query.by.length === 0 ? [history.estimate(query)] : history.estimates(query)
    return estimates.every(isEstimable) ? estimates.map(known) : undefined
  }

  /** Takes in what was recorded since the last time; an epoch begins with nothing. */
  #follow(): History {
    if (!this.#history || this.#epoch !== this.#book.epochs) {
      this.#history = openHistory(this.#book.universe, { random: this.#random })
      this.#epoch = this.#book.epochs
      this.#read = new Set()
    }
    for (const { seq, state, measurements, refines } of this.#book.releases) {
      if (state !== 'recorded' || this.#read.has(seq)) continue
      for (const measurement of measurements) {
        this.#history.append(measurement, refines === null ? undefined : { replaces: refines })
      }
      this.#read.add(seq)
    }
    return this.#history
  }
}

const isEstimable = (estimate: Estimate): estimate is Estimated => estimate.estimable

const known = (made: Estimated): Known => ({
  estimate: made.estimate,
  made,
  posterior: (blur) => posteriorByCharacteristic(made.coefficients, blur === undefined ? {} : { blur }),
})
