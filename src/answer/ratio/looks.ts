import { fromNumber } from '../../numeric/index.ts'
import { isInNoiseRange } from '../../query/index.ts'
import { halfWidth } from '../column/interval.ts'
import { type Purchase, purchasesOf, totalOf } from '../price/choice.ts'
import { costOf } from '../price/cost.ts'
import { fresh } from '../price/fresh.ts'
import { chargeOf, priceParts } from '../price/priced-part.ts'
import { spreadOf } from '../price/range.ts'
import type { PartChoice } from '../question/question.ts'
import type { Allowance } from './allowance.ts'
import { isBounded } from './bound.ts'
import type { Closing } from './closing.ts'
import { mostLooks, type RatioContext } from './context.ts'
import type { Sizes } from './sizes.ts'

/** None is more than so many times as dear as the one before. */
const growth = 4
/** The first one costs this much, or this share of what may be spent. */
const [firstLook, shareOfLook] = [0.001, 1 / 256]

/** Cheap purchases, and what all will have cost after them, the last purchase included. */
interface Look {
  readonly parts: readonly PartChoice[]
  readonly total: number
}

/** Cheap purchases that tell how large denominators are, so that the last one need not be dearer than it must. */
export class Looks {
  readonly #context: RatioContext
  readonly #with: { readonly sizes: Sizes; readonly closing: Closing; readonly allowance: Allowance }
  /** Denominators; and numerators of ratios that are not bounded by the policy. */
  readonly #parts: readonly number[]
  #taken = 0
  /** The dearest so far, in ε. */
  #dearest = 0

  constructor(context: RatioContext, helpers: { sizes: Sizes; closing: Closing; allowance: Allowance }) {
    this.#context = context
    this.#with = helpers
    const parts = context.needs.ratios.flatMap((goal) =>
      isBounded(goal) ? [goal.ratio.denominator.part] : [goal.ratio.denominator.part, goal.ratio.numerator.part],
    )
    this.#parts = [...new Set(parts)]
  }

  get taken(): number {
    return this.#taken
  }
  take(looks: readonly PartChoice[]): void {
    this.#taken++
    this.#dearest = Math.max(this.#dearest, costOf(totalOf(looks), this.#context.session.book).epsilon)
  }

  /**
   * The look after which all will have cost least, if the estimates are right. The first is as cheap as can be, and none
   * is much dearer than the one before: until they are looked at more closely, estimates may be far off. So where they
   * promise nothing, but might be wrong, there is another look as well.
   */
  best(): Look | undefined {
    const { sizes, allowance } = this.#with
    const first = Math.min(firstLook, allowance.most.epsilon * shareOfLook)
    if (this.#taken === mostLooks || !(first > 0)) return undefined
    const isKnown = this.#parts.every((part) => sizes.known(part) !== undefined)
    const most = growth * (this.#dearest || (isKnown ? growth * first : first / growth))
    return (isKnown ? this.#promising(first, most) : undefined) ?? this.#hopeful(most, isKnown)
  }

  /** The best of several prices, if the estimates are right. */
  #promising(first: number, most: number): Look | undefined {
    const { sizes, closing, allowance } = this.#with
    let best: Look | undefined
    for (let epsilon = first; epsilon <= most; epsilon *= 2) {
      const parts = this.#at(epsilon)
      const widths = new Map(parts.map(({ part, within }) => [part, within]))
      const after = closing.in(sizes.situations({ supposed: (part) => widths.get(part) ?? Infinity }), 'about')
      if (!after || !this.#isOpen(parts, after)) continue
      const total = allowance.worth([...parts, ...after])
      if (!best || total < best.total) best = { parts, total }
    }
    return best
  }

  /** The dearest, where it may turn out that the estimates were wrong. */
  #hopeful(epsilon: number, isKnown: boolean): Look | undefined {
    const { sizes, closing, allowance } = this.#with
    const parts = this.#at(epsilon)
    const after = isKnown ? closing.in(sizes.situations({ hopeful: true }), 'about') : []
    // Several more may follow, and the last purchase.
    const total = growth * allowance.worth(parts)
    return after && this.#isOpen(parts, after) ? { parts, total } : undefined
  }

  /** Is the look for sale, and the last purchase that is expected after it? */
  #isOpen(look: readonly PartChoice[], after: readonly PartChoice[]): boolean {
    const { allowance } = this.#with
    const parts = [...look, ...after]
    const isInRange = purchasesOf(parts).every(({ charge }) => isInNoiseRange(charge.law))
    return isInRange && allowance.allowsLook(look) && allowance.allows(parts)
  }

  #at(epsilon: number): PartChoice[] {
    const { statement, session, confidence } = this.#context
    const queries = this.#parts.map((part) => statement.parts[part]!)
    const priced = priceParts({ parts: queries }, fromNumber(Number(epsilon.toPrecision(3))), session.book)
    return this.#parts.map((part, i) => {
      const choice = this.#blurred(part, { kind: 'fresh', charge: chargeOf(priced[i]!), price: priced[i]!.price })
      return { part, query: queries[i]!, choice, within: halfWidth(choice.charge, confidence.size) }
    })
  }

  /** No more precise than it takes to tell an empty group from one at the floor. */
  #blurred(part: number, look: Purchase): Purchase {
    const { wanted, needs, session, confidence } = this.#context
    const goal = needs.ratios.find(({ ratio }) => ratio.denominator.part === part)
    if (!wanted.floor || !goal || look.charge.law.kind === 'none') return look
    const within = wanted.floor / 1.5 / Math.abs(goal.ratio.denominator.times)
    const enough = fresh(look.charge.query, { within, confidence: confidence.size }, session.book)
    return spreadOf(enough.charge.law) > spreadOf(look.charge.law) ? enough : look
  }
}
