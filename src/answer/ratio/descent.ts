import { isPublic } from '../../trusted/accounting/index.ts'
import { scaleOf } from '../price/priced-part.ts'
import type { PartBought, PartChoice, Step } from '../question/question.ts'
import { balanced } from './balance.ts'
import { type RatioContext, ratioParts } from './context.ts'
import { materialOf, worstWidth } from './free.ts'
import { isRefinable, refinementOf } from './refinement.ts'
import type { Sizes } from './sizes.ts'
import type { Stages } from './stages.ts'

/** A first look at a numerator has this many times the largest noise that it could have in the end. */
const blur = 2.4
/** The descent begins at this multiple of the noise that seems to be needed, and at most this fraction of a look's noise… */
const [above, ofLook] = [1.35, 1 / 2]
/** …and ends at this fraction of where it began. */
const end = 1 / 4
/** Each step goes a little further than to where the interval is likely to be as narrow as requested. */
const farther = 1.01

/**
 * Numerators and denominators refined together, in small steps, until the intervals are as narrow as asked: every step costs the
 * difference alone. The ratio of their noises is fixed after a look at each. docs/algorithms/ratios.md
 */
export class Descent {
  readonly #context: RatioContext
  readonly #sizes: Sizes
  readonly #numerators: ReadonlySet<number>
  /** The last purchase of each part. */
  readonly #at = new Map<number, PartBought>()
  /** The noises at which the descent begins, and the fraction of them that it has reached. */
  #begin: ReadonlyMap<number, number> | undefined
  #down = 1
  #isLast = false
  #isDone = false
  #doubt = 0

  constructor(context: RatioContext, sizes: Sizes) {
    this.#context = context
    this.#sizes = sizes
    this.#numerators = new Set(context.needs.ratios.map(({ ratio }) => ratio.numerator.part))
  }

  /** Whether all columns are ratios, no part is both numerator and denominator, and earlier answers determine no part. */
  static isOpen({ needs, statement, session }: RatioContext, sizes: Sizes): boolean {
    const parts = ratioParts(needs)
    const { book } = session
    const terms = { universe: book.universe, privacy: book.terms }
    const numerators = new Set(needs.ratios.map(({ ratio }) => ratio.numerator.part))
    return (
      isRefinable(book) &&
      statement.parts.every((_, part) => parts.has(part) && needs.parts[part] === Infinity) &&
      needs.ratios.every(({ ratio }) => !numerators.has(ratio.denominator.part)) &&
      statement.parts.every((query, part) => !isPublic(query, terms) && sizes.known(part) === undefined)
    )
  }

  recall(): void {}
  begin(doubt: number): void {
    this.#doubt = doubt
  }
  look(bought: readonly PartBought[]): void {
    this.learn(bought)
  }
  learn(bought: readonly PartBought[]): void {
    for (const part of bought) this.#at.set(part.part, part)
  }

  get hasBegun(): boolean {
    return [...this.#numerators].some((part) => this.#at.has(part))
  }
  get isDone(): boolean {
    return this.#isDone
  }
  get doubt(): number {
    return this.#doubt
  }
  final(part: number): PartBought | undefined {
    return this.#at.get(part)
  }

  /** What to buy now; nothing if it is done. */
  next(stages: Stages, mayFail: boolean): readonly PartChoice[] | 'failed' | undefined {
    this.#doubt = stages.doubt
    const missing = [...this.#numerators].filter((part) => !this.#at.has(part))
    if (missing.length > 0) return this.#looks(missing, stages)
    this.#begin ??= this.#beginning(stages)
    for (;;) {
      const parts = this.#to(this.#down, stages)
      if (!parts || parts.length > 0) return parts
      const worst = this.#isLast ? 0 : this.#worst()
      if (!(worst > 1) || (this.#down <= end && !mayFail)) {
        this.#isDone = true
        return []
      }
      if (this.#down <= end) return 'failed'
      this.#down = Math.max(end, this.#down / (worst * farther))
    }
  }

  /** What the rest will cost, if sizes are as estimated. */
  expected(stages: Stages): PartChoice[] | undefined {
    return this.#begin && this.#to(this.#isLast ? this.#down : Math.min(this.#down, 1 / above), stages)
  }

  /** As far down as can be afforded. */
  affordable(stages: Stages, isAllowed: (parts: readonly PartChoice[]) => boolean): Step | undefined {
    if (!this.#begin) return undefined
    for (let down = this.#down; down < 4; down *= 1.02) {
      const parts = this.#to(down, stages)
      if (!parts || parts.length === 0) return undefined
      if (!isAllowed(parts)) continue
      this.#down = down
      this.#isLast = true
      return { kind: 'buy', parts }
    }
    return undefined
  }

  #looks(parts: readonly number[], stages: Stages): PartChoice[] | undefined {
    const largest = stages.largest()
    return largest && stages.choices(new Map(parts.map((part) => [part, blur * largest.get(part)!])))
  }

  #beginning(stages: Stages): Map<number, number> {
    const looks = new Map([...this.#at].map(([part, { measurement }]) => [part, scaleOf(measurement)]))
    const sizes = balanced(this.#context, this.#sizes, stages)
    return new Map([...sizes].map(([part, size]) => [part, Math.min(above * size, ofLook * looks.get(part)!)]))
  }

  /** The refinements that lead to this fraction of the first noises. */
  #to(down: number, stages: Stages): PartChoice[] | undefined {
    const sizes = [...this.#begin!].map(([part, size]) => [part, size * down] as const)
    const left = sizes.filter(([part, size]) => scaleOf(this.#at.get(part)!.measurement) > size * (1 + 1e-4))
    return stages.choices(new Map(left))?.map((part) => {
      if (part.choice.kind === 'free') return part
      const { measurement } = this.#at.get(part.part)!
      return { ...part, choice: refinementOf(part.choice.charge, measurement, this.#context.session.book) }
    })
  }

  /** The width of the widest interval, as a multiple of the requested one. */
  #worst(): number {
    const material = materialOf(this.#context, (part) => this.#at.get(part)!.measurement, 1 - this.#doubt)
    return worstWidth(material, this.#context, this.#sizes)
  }
}
