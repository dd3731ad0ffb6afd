import { compare, multiply, type Rational } from '../../numeric/index.ts'
import { type LinearQuery, type NoiseLaw, noiseRange } from '../../query/index.ts'
import { capUnits, priceInBoth, scaleFor, unitsToRational, varianceFor } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { type Member, rangeCounts } from './family.ts'
import { type Span, sizeOf } from './kept.ts'
import { cutsFor, shareOf, stepsFor } from './layout.ts'
import type { Count, Ground, Search } from './search.ts'

/** The share of the doubt for all steps before the last, which only say where to look closer. */
const early = 0.2

/** The noise that a price buys, in ε, or in ρ if the policy has a δ. At least the smallest noise that is sold, which may cost less. */
export function lawFor(query: LinearQuery, price: Rational, { cap, universe, terms: privacy }: Book): NoiseLaw {
  const terms = { universe, privacy }
  if (cap.rho === null) return { kind: 'laplace', scale: larger(scaleFor(query, price, terms), noiseRange.least) }
  const least = multiply(noiseRange.least, noiseRange.least)
  return { kind: 'gaussian', variance: larger(varianceFor(query, price, terms), least) }
}

const larger = (a: Rational, b: Rational): Rational => (compare(a, b) < 0 ? b : a)

/** As precise as a price allows, in at most as many steps as it takes to reach single codes. */
export class PriceSearch implements Search {
  readonly ground: Ground
  readonly #doubt: (member: Member) => number
  /** Whole units of ε or ρ. */
  #left: number
  /** The most steps that are left. */
  #steps: number
  readonly #share: number

  constructor(ground: Ground, price: Rational, doubt: (member: Member) => number) {
    this.ground = ground
    this.#doubt = doubt
    this.#left = capUnits(price)
    this.#steps = stepsFor(ground.family.to - ground.family.from + 1)
    this.#share = early / Math.max(1, this.#steps)
    ground.narrow(doubt, this.#steps > 0 ? this.#share : 1)
    this.#steps = Math.min(this.#steps, stepsFor(largest(ground.spans)))
  }

  next(): Count | undefined {
    const { ground } = this
    if (this.#steps === 0 || ground.isSettled) return undefined
    const { family, spans, session } = ground
    const query = rangeCounts(family, cutsFor(openOf(spans), family.from, family.to))
    const units = Math.floor(this.#left * shareOf(this.#steps))
    return { query, law: lawFor(query, unitsToRational(Math.max(1, units)), session.book) }
  }

  learn(): void {
    const { ground } = this
    const count = this.next()!
    this.#left -= unitsOf(count, ground.session.book)
    ground.reread()
    const isLast = this.#steps === 1
    ground.narrow(this.#doubt, isLast ? 1 - early : this.#share)
    this.#steps = Math.min(this.#steps - 1, stepsFor(largest(ground.spans)))
  }
}

const openOf = (spans: readonly Span[]): Span[] => spans.filter((span) => sizeOf(span) > 1)
const largest = (spans: readonly Span[]): number => spans.reduce((most, span) => Math.max(most, sizeOf(span)), 0)

function unitsOf({ query, law }: Count, { cap, universe, terms: privacy }: Book): number {
  const price = priceInBoth({ kind: 'measurement', query, law }, { universe, privacy })
  return cap.rho === null ? price.epsilon : price.rho
}
