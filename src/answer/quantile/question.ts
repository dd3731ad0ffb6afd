import { divide, fromNumber, multiply, type Rational, rational, toNumber } from '../../numeric/index.ts'
import type { LinearQuery, Statement } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import { addSpending, epsilonOfRho, type Spending, zeroSpending } from '../../trusted/accounting/index.ts'
import { halfWidth } from '../column/interval.ts'
import { confidenceFor, type Material } from '../compose.ts'
import { isAffordable, leftToAsk } from '../price/budget.ts'
import { priceOf } from '../price/cost.ts'
import { heldFor } from '../price/held-for.ts'
import { reportOf } from '../price/part-report.ts'
import type { PartBought, PartChoice, Question, Step } from '../question/question.ts'
import type { Requirement } from '../requirement.ts'
import type { Session } from '../session.ts'
import { familiesOf, type Member } from './family.ts'
import { centred, type KnownQuantile } from './known-quantile.ts'
import { needOf, quantilesOf, sharersOf } from './needs.ts'
import { lawFor, PriceSearch } from './price-search.ts'
import { type Count, Ground, type Search } from './search.ts'
import { WithinSearch } from './within-search.ts'

/** The first look costs 1/500 of what is left, and at most this ε: it is wasted if the first counts show that few records are enough. */
const firstLook = 500
const mostOfLook = 0.002
/** Nor more than 1/25 of what the asker allows: a look stays in the history, and every later question reads it. */
const firstOfMost = 25

/** Asks the rest of a statement, then finds its quantiles step by step. */
export class QuantileQuestion implements Question {
  #wanted: Requirement
  readonly #session: Session
  readonly #statement: Statement
  readonly #rest: Question
  #material: Material | undefined
  #searches: Search[] | undefined
  #buying: readonly Search[] = []
  readonly #bought: PartBought[] = []

  /** `rest` asks for all columns that are no quantiles, with their share of the price. */
  constructor(statement: Statement, wanted: Requirement, session: Session, rest: Question) {
    if (wanted.always) throw notAlways()
    if (wanted.kind === 'relative') throw noRelative()
    this.#statement = statement
    this.#wanted = wanted
    this.#session = session
    this.#rest = rest
  }

  next(): Step {
    if (!this.#material) {
      const step = this.#rest.next()
      if (step.kind !== 'answer') return step
      this.#material = step.material
    }
    this.#searches ??= this.#begin()
    const isKnown = this.#searches.every(({ ground }) => ground.hasEvidence)
    if (this.#wanted.kind === 'free' && !isKnown) return { kind: 'refuse', error: undetermined() }
    return this.#buy(this.#searches) ?? { kind: 'answer', material: this.#answer(this.#material, this.#searches) }
  }

  learn(bought: readonly PartBought[]): void {
    if (!this.#material) {
      this.#rest.learn(bought)
      return
    }
    this.#bought.push(...bought)
    for (const search of this.#buying) search.learn()
  }

  sofar(): Material | undefined {
    return this.#material && this.#searches && this.#answer(this.#material, this.#searches)
  }

  /** Starts again for this price, from the history, which now includes what was bought so far. */
  spend(epsilon: number): boolean {
    if (!this.#material || !(epsilon > 0)) return false
    this.#wanted = { ...this.#wanted, kind: 'price', epsilon: exactly(epsilon) }
    this.#searches = this.#begin(0)
    return true
  }

  /** `parts`: how many parts of other columns share the price, because they are still to be bought. */
  #begin(parts = this.#statement.parts.length): Search[] {
    const families = familiesOf(this.#statement.quantiles!)
    const grounds = families.map((family) => new Ground(family, this.#session))
    return grounds.map((ground) => this.#searchFor(ground, families.length, parts))
  }

  #searchFor(ground: Ground, families: number, parts: number): Search {
    const { book, quota } = this.#session
    const doubt = this.#doubt
    const wanted = this.#wanted
    switch (wanted.kind) {
      case 'free':
        ground.narrow(doubt, 1)
        return { ground, next: () => undefined, learn: () => {} }
      case 'price':
        return new PriceSearch(ground, shareOf(held(wanted.epsilon, book), parts, families), doubt)
      case 'within': {
        const need = needOf(this.#statement, wanted.within)
        const start = (query: LinearQuery) => {
          const most = (wanted.maxEpsilon ?? Number.POSITIVE_INFINITY) / firstOfMost
          const look = Math.min(leftToAsk(book, quota).epsilon / firstLook, most, mostOfLook)
          return lawFor(query, held(exactly(look), book), book)
        }
        return new WithinSearch(ground, { doubt, within: ({ index }) => need[index]! }, start)
      }
      case 'relative':
        throw noRelative()
    }
  }

  /** The probability that a quantile's interval may miss. A column that is made of several numbers shares its doubt among them. */
  readonly #doubt = ({ index }: Member): number =>
    (1 - confidenceFor(this.#statement, this.#wanted)) / sharersOf(this.#statement, index)

  #buy(searches: readonly Search[]): Step | undefined {
    const { book } = this.#session
    const counts = searches.flatMap((search) => {
      const count = search.next()
      return count ? [{ search, count: this.#refusable(count) }] : []
    })
    if (counts.length === 0) return undefined
    this.#buying = counts.map(({ search }) => search)
    const confidence = confidenceFor(this.#statement, this.#wanted)
    const parts = counts.map(({ count: { query, law } }, i): PartChoice => {
      const charge = { kind: 'measurement', query, law } as const
      const choice = { kind: 'fresh', charge, price: priceOf(charge, book) } as const
      return { part: this.#statement.parts.length + i, query, choice, within: halfWidth({ query, law }, confidence) }
    })
    return { kind: 'buy', parts, ...this.#most() }
  }

  /** If the budget does not allow the whole price, all of it is asked for at once: a refusal before the first step, not after it. */
  #refusable(count: Count): Count {
    const wanted = this.#wanted
    if (wanted.kind !== 'price' || this.#bought.length > 0) return count
    const { book, quota } = this.#session
    const families = familiesOf(this.#statement.quantiles!).length
    const price = multiply(
      shareOf(held(wanted.epsilon, book), this.#statement.parts.length, families),
      rational(families),
    )
    const whole = { ...count, law: lawFor(count.query, price, book) }
    return isAffordable([{ kind: 'measurement', ...whole }], book, quota) ? count : whole
  }

  /** A bound for a plan: what all steps will cost is not known before the first of them. */
  #most() {
    const wanted = this.#wanted
    const { book, quota } = this.#session
    const left = leftToAsk(book, quota)
    // What remains of a price once the rest is bought is never more than the price.
    if (wanted.kind === 'price') return { most: { ...left, epsilon: toNumber(wanted.epsilon) } }
    if (wanted.kind !== 'within') return {}
    return { most: { ...left, epsilon: Math.min(left.epsilon, wanted.maxEpsilon ?? Number.POSITIVE_INFINITY) } }
  }

  #answer(rest: Material, searches: readonly Search[]): Material {
    const { book } = this.#session
    const bought = this.#bought
    const kind = bought.length > 0 ? (rest.kind === 'free' ? 'fresh' : rest.kind) : rest.kind
    const isPartial = searches.some(({ hasDwarfed }) => hasDwarfed)
    return {
      ...rest,
      kind,
      ...(isPartial && { notes: [...(rest.notes ?? []), dwarfedNote] }),
      reports: [...rest.reports, ...bought.map((part) => reportOf(part, book))],
      quantiles: this.#statement.quantiles!.map((_, index) => this.#known(index, searches)),
    }
  }

  #known(index: number, searches: readonly Search[]): KnownQuantile {
    const family = searches.findIndex(({ ground }) => ground.family.quantiles.some((m) => m.index === index))
    const search = searches[family]!
    const { ground } = search
    const located = ground.targets.flatMap(({ member }, i) =>
      member.index === index ? [{ member, ...ground.located(i) }] : [],
    )
    const value = (of: (typeof located)[number]) => (search.within ? centred(of, search.within(of.member)) : of.value)
    return {
      values: Float64Array.from(located, value),
      bounds: located.map(({ low, high }) => ({ low, high })),
      family,
      price: this.#priceOf(search),
      ...(ground.scale.days && { days: ground.scale.days }),
    }
  }

  #priceOf({ ground: { family } }: Search): Spending {
    const own = this.#bought.filter(({ query }) => query.terms === family.records.terms)
    return own.flatMap(({ choice }) => (choice.kind === 'free' ? [] : [choice.price])).reduce(addSpending, zeroSpending)
  }
}

type Book = Session['book']

/** In ε, or in ρ if the policy has a δ. */
function held(epsilon: Rational, book: Book): Rational {
  const { epsilon: pure, rho } = heldFor(epsilon, book)
  return (book.cap.rho === null ? pure : rho)!
}

/** Every linear part and every family of quantiles gets the same. */
const shareOf = (all: Rational, parts: number, families: number): Rational => divide(all, rational(parts + families))

const dwarfedNote =
  'quantiles of the smallest groups are less precise than requested: they would cost many times as much as the others together'

/** What the rest of the statement may cost, as an ε of its own. */
export function restOf(epsilon: Rational, statement: Statement, book: Book): Rational {
  const parts = statement.parts.length
  const families = familiesOf(statement.quantiles!).length
  if (parts === 0) return epsilon
  const share = multiply(held(epsilon, book), rational(parts, parts + families))
  if (book.cap.rho === null) return share
  // Rounded down, so that both together stay within the whole.
  return exactly(epsilonOfRho(share, book.terms.delta) * (1 - 1e-9))
}

const exactly = (value: number): Rational => fromNumber(Number(value.toPrecision(12)))

/** The statement without its quantiles' columns. */
export const withoutQuantiles = (statement: Statement): Statement => ({
  ...statement,
  columns: statement.columns.filter((c) => c.kind === 'key' || quantilesOf(c.expression).size === 0),
  quantiles: undefined,
})

const undetermined = () =>
  problem(
    'not-estimable',
    'earlier answers say nothing about where this quantile lies',
    'Buy it: --within W for a precision in units of the attribute, or --epsilon E for a price.',
  )

const notAlways = () =>
  problem(
    'not-supported',
    '--always does not work for quantiles: their intervals hold for one answer only',
    'Leave out --always. It works for counts of ranges: COUNT(*) … WHERE x <= c.',
  )

const noRelative = () =>
  problem(
    'not-supported',
    'a quantile has no relative precision: it may be 0, or a date',
    'Say how precise it must be, in units of the attribute: --within W. Or what it may cost: --epsilon E.',
  )
