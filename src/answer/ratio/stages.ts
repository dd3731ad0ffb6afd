import { firstWhere } from '../../numeric/index.ts'
import { noiseSpread } from '../../query/index.ts'
import type { AnswerCharge } from '../../trusted/accounting/index.ts'
import { halfWidth } from '../column/interval.ts'
import type { Known } from '../known/known.ts'
import type { PaidChoice } from '../price/choice.ts'
import { priceOf } from '../price/cost.ts'
import { fresh } from '../price/fresh.ts'
import type { PartChoice } from '../question/question.ts'
import type { RatioContext } from './context.ts'
import type { RatioGoal } from './goal.ts'
import { PartNoise } from './noise.ts'
import { gaussianWidths, laplaceWidths, type RoughWidths } from './rough.ts'
import type { Sizes } from './sizes.ts'

/** The final noise of a numerator is one of these fractions of the largest that could do: from 1 down to 1/2, in 16 steps. */
const steps = 16
const menu = Array.from({ length: steps + 1 }, (_, k) => 2 ** (-k / steps))
/** A first look at a numerator has this many times the largest noise that it could have in the end. */
const blur = 3
/** The largest noise is planned for denominators that are larger than estimated by this many standard deviations… */
const larger = 0.8
/** …and the smallest must be enough for those that are smaller by this many. */
const smaller = 1.2
/** The noises of a denominator that are compared, as multiples of the numerator's noise at the same price. */
const ratiosOfNoise = Array.from({ length: 25 }, (_, k) => 2 ** ((k - 12) / 4))

/** How much noise each part of a ratio may have, from what is known about its size. */
export class Stages {
  readonly #context: RatioContext
  readonly #sizes: Sizes
  readonly #noises: readonly PartNoise[]
  readonly #goals: readonly RatioGoal[]
  /** 1 - the confidence of the intervals. */
  readonly doubt: number
  /** Final noises of numerators, as fractions of the largest. */
  readonly menu = menu
  readonly widths: RoughWidths

  constructor(context: RatioContext, sizes: Sizes, doubt: number) {
    const { needs, statement, session } = context
    this.#context = context
    this.#sizes = sizes
    this.#noises = statement.parts.map((query) => new PartNoise(query, session.book))
    this.#goals = needs.ratios
    this.doubt = doubt
    this.widths = session.book.cap.rho === null ? laplaceWidths(doubt) : gaussianWidths(doubt)
  }

  /**
   * The largest noise that each numerator may have in the end, in its own units; undefined if a denominator's size is unknown, or no group
   * is large enough to count. `supposed` is a size to assume for all denominators.
   */
  largest(supposed?: number): Map<number, number> | undefined {
    const noises = new Map<number, number>()
    for (const goal of this.#goals) {
      const { numerator } = goal.ratio
      const found = supposed === undefined ? this.#sizes.smallest(goal) : { size: supposed, deviation: 0 }
      if (!found) return undefined
      const size = found.size + larger * found.deviation
      const noise = this.widths.largest(goal.within * size, 0) / Math.abs(numerator.times)
      noises.set(numerator.part, Math.min(noises.get(numerator.part) ?? Infinity, noise))
    }
    return [...noises.values()].every((noise) => noise > 0 && noise < Infinity) ? noises : undefined
  }

  /** First looks at these numerators, which are refined later. */
  looks(largest: ReadonlyMap<number, number>, parts: ReadonlySet<number>): PartChoice[] | undefined {
    return this.#choices([...parts].map((part) => [part, blur * largest.get(part)!] as const))
  }

  /** The noises of denominators with which the whole is cheapest, and the noises of numerators to expect then. */
  denominators(
    largest: ReadonlyMap<number, number>,
    supposed?: number,
  ): { below: Map<number, number>; above: Map<number, number> } {
    const [below, above] = [new Map<number, number>(), new Map<number, number>()]
    const keep = (to: Map<number, number>, part: number, size: number) =>
      to.set(part, Math.min(to.get(part) ?? Infinity, size))
    for (const goal of this.#goals) {
      const { numerator, denominator } = goal.ratio
      const [y, x] = this.#cheapest(goal, largest.get(numerator.part)! * Math.abs(numerator.times), supposed)
      keep(below, denominator.part, y / Math.abs(denominator.times))
      keep(above, numerator.part, x / Math.abs(numerator.times))
    }
    return { below, above }
  }

  /** The two noises with the lowest price, in the ratio's units, such that the menu is enough even if sizes are a little worse. */
  #cheapest(goal: RatioGoal, top: number, supposed?: number): readonly [below: number, above: number] {
    const { size, deviation } = supposed === undefined ? this.#sizes.smallest(goal)! : { size: supposed, deviation: 0 }
    const least = Math.max(size / 2, size - smaller * deviation)
    const { numerator, denominator } = goal.ratio
    const unit =
      (this.noise(denominator.part).unit * Math.abs(denominator.times)) /
      (this.noise(numerator.part).unit * Math.abs(numerator.times))
    const reach = this.#sizes.reach(goal)
    // If that is unknown: as if every record added the most it can.
    const [most, likely] = [reach.most, reach.likely].map((of) => (of < Infinity ? of : 1 / unit)) as [number, number]
    const price = (x: number, y: number) =>
      this.#noises[numerator.part]!.price(x / Math.abs(numerator.times)) +
      this.#noises[denominator.part]!.price(y / Math.abs(denominator.times))
    let best: readonly [number, number] | undefined
    for (const part of ratiosOfNoise) {
      const y = part * top * (unit || 1)
      const worst = this.widths.largest(goal.within * least, most * y)
      if (worst < top * menu.at(-1)! && best) break
      const x = Math.min(top, this.widths.largest(goal.within * size, likely * y))
      if (!best || price(x, y) < price(best[1], best[0])) best = [y, x]
    }
    return best!
  }

  /**
   * The largest noises of these numerators that make all intervals as narrow as requested, given the denominators' noise and estimates; the
   * smallest of the menu, and not `isEnough`, if none does.
   */
  numerators(
    largest: ReadonlyMap<number, number>,
    parts: ReadonlySet<number>,
    boundOf: (goal: RatioGoal, above: AnswerCharge) => { readonly widest: number; readonly size: number },
  ): { sizes: Map<number, number>; isEnough: boolean } {
    const sizes = new Map<number, number>()
    let isEnough = true
    for (const part of parts) {
      const goals = this.#goals.filter(({ ratio }) => ratio.numerator.part === part)
      const does = (k: number) =>
        goals.every((goal) => {
          const { widest, size } = boundOf(goal, this.#noises[part]!.charge(largest.get(part)! * menu[k]!)!)
          return widest <= goal.within * size * (1 - spare)
        })
      const first = firstWhere(0, menu.length, does)
      if (first === menu.length) isEnough = false
      sizes.set(part, largest.get(part)! * (menu[first] ?? menu.at(-1)!))
    }
    return { sizes, isEnough }
  }

  /** As purchases; undefined if so little noise is not for sale. */
  choices(sizes: ReadonlyMap<number, number>): PartChoice[] | undefined {
    return this.#choices([...sizes])
  }

  /** The largest noise in any group, as one Laplace scale or one deviation. */
  largestNoise(known: readonly Known[]): number {
    const variance = known.reduce((most, { made }) => Math.max(most, made.variance), 0)
    return Math.sqrt(this.#context.session.book.cap.rho === null ? variance / 2 : variance)
  }
  /** Everything to buy, if sizes are as estimated, or as supposed. */
  all(supposed?: number): PartChoice[] | undefined {
    const largest = this.largest(supposed)
    if (!largest) return undefined
    const { below, above } = this.denominators(largest, supposed)
    return this.#choices([...new Map([...above, ...below])])
  }
  noise(part: number): PartNoise {
    return this.#noises[part]!
  }

  /** At least as precise as the part is needed by itself. */
  #choices(sizes: readonly (readonly [number, number])[]): PartChoice[] | undefined {
    const { needs, statement, session, doubt } = this.#context
    const made: PartChoice[] = []
    for (const [part, size] of sizes) {
      const charge = this.#noises[part]!.charge(size)
      if (!charge) return undefined
      const within = needs.parts[part]!
      const own =
        within < Infinity
          ? fresh(statement.parts[part]!, { confidence: 1 - doubt.other, within }, session.book)
          : undefined
      const choice: PaidChoice =
        own && noiseSpread(own.charge.law) < noiseSpread(charge.law)
          ? own
          : { kind: 'fresh', charge, price: priceOf(charge, session.book) }
      made.push({ part, query: charge.query, choice, within: halfWidth(choice.charge, 1 - doubt.other) })
    }
    return made
  }
}

/** Intervals stay this much narrower, so that rounding does not make them wider than requested. */
const spare = 1e-9
