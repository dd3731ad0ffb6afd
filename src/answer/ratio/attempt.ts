import { isInNoiseRange, type Measurement } from '../../query/index.ts'
import type { AnswerCharge } from '../../trusted/accounting/index.ts'
import { halfWidth } from '../column/interval.ts'
import { boundOfTerms } from '../known/joint.ts'
import type { Known } from '../known/known.ts'
import { knownAlone, noiseOf } from '../known/known-part.ts'
import { largestBound } from '../known/sectors.ts'
import { fresh } from '../price/fresh.ts'
import { scaleOf } from '../price/priced-part.ts'
import type { PartBought, PartChoice, Step } from '../question/question.ts'
import type { RatioContext } from './context.ts'
import { ratioParts } from './context.ts'
import type { RatioGoal } from './goal.ts'
import { refinementOf } from './refinement.ts'
import type { Sizes } from './sizes.ts'
import type { Stages } from './stages.ts'

/** Earlier answers are enough for a denominator if their noise is at most this fraction of the numerator's. */
const earlierNoise = 0.3

/** A look at a denominator is refined to a third of its noise or less, which is worth it if the look has at least twice the noise needed. */
const [leastRefining, worthRefining] = [3, 2]

/** What one part of a ratio is answered with. */
type Final = PartBought | { readonly known: readonly Known[] }

/** Buys a first look at numerators, then denominators, then numerators; each step is planned from what the steps before it said. */
export class Attempt {
  readonly #context: RatioContext
  readonly #sizes: Sizes
  /** All parts are bought at once, at a fixed price. */
  readonly #isOneGo: boolean
  /** Numerators whose noise is chosen last. The others are denominators too, or are needed by themselves. */
  readonly #last: ReadonlySet<number>
  readonly #denominators: ReadonlySet<number>
  /** What earlier answers say of denominators, before anything was bought for this question. */
  readonly #earlier = new Map<number, readonly Known[]>()
  #planned: ReadonlyMap<number, number> | undefined
  /** The largest noise that numerators may have in the end; fixed by the first purchase. */
  #largest: ReadonlyMap<number, number> | undefined
  /** The last looks at numerators, and at denominators: these are refined. */
  readonly #looked = new Map<number, PartBought>()
  readonly #seen = new Map<number, PartBought>()
  readonly #final = new Map<number, Final>()
  #doubt = 0

  constructor(context: RatioContext, sizes: Sizes, { inOneGo = false } = {}) {
    const { ratios, parts } = context.needs
    this.#context = context
    this.#sizes = sizes
    this.#isOneGo = inOneGo
    this.#denominators = new Set(ratios.map(({ ratio }) => ratio.denominator.part))
    const numerators = ratios.map(({ ratio }) => ratio.numerator.part)
    this.#last = new Set(numerators.filter((part) => !this.#denominators.has(part) && parts[part] === Infinity))
  }

  /** Notes what earlier answers say. */
  recall(): void {
    this.#earlier.clear()
    for (const part of this.#denominators) {
      const known = this.#sizes.known(part)
      if (known) this.#earlier.set(part, known)
    }
  }
  begin(doubt: number): void {
    this.#doubt = doubt
  }

  /** Takes in a look at denominators. */
  look(bought: readonly PartBought[]): void {
    for (const part of bought) this.#seen.set(part.part, part)
  }

  get hasBegun(): boolean {
    return this.#isOneGo || this.#largest !== undefined
  }
  get isDone(): boolean {
    return [...ratioParts(this.#context.needs)].every((part) => this.#final.has(part))
  }
  /** Of the intervals of its ratios. */
  get doubt(): number {
    return this.#doubt
  }
  final(part: number): Final | undefined {
    return this.#final.get(part)
  }

  learn(bought: readonly PartBought[]): void {
    this.#largest ??= this.#planned
    for (const part of bought) {
      const isLook =
        this.#largest !== undefined && !this.#isOneGo && this.#last.has(part.part) && !this.#looked.has(part.part)
      ;(isLook ? this.#looked : this.#final).set(part.part, part)
    }
  }

  /** What to buy now; undefined if it is not for sale. */
  next(stages: Stages, mayFail: boolean): readonly PartChoice[] | 'failed' | undefined {
    if (this.#isExact()) return this.#exactly()
    this.#doubt = stages.doubt
    this.#planned = this.#largest ?? stages.largest()
    if (!this.#planned) return undefined
    if (this.#looked.size < this.#last.size) return stages.looks(this.#planned, this.#last)
    const { below } = stages.denominators(this.#planned)
    this.#takeEarlier(stages)
    const early = this.#early(below)
    if (early.size > 0) return this.#sharpened(early, stages)
    const { sizes, isEnough } = stages.numerators(this.#planned, this.#last, (goal, above) => this.#bound(goal, above))
    if (!isEnough && mayFail) return 'failed'
    return this.#refined(sizes, stages)
  }

  /** Whether all denominators are public, or known as exactly. */
  #isExact(): boolean {
    return [...this.#denominators].every((part) => this.#sizes.known(part)?.every(({ made }) => made.variance === 0))
  }

  /** Then numerators alone have noise, and how much they may have hangs on no other. */
  #exactly(): PartChoice[] | undefined {
    const { needs, session, statement, doubt } = this.#context
    this.#doubt = doubt.other
    for (const part of this.#denominators) this.#final.set(part, { known: this.#sizes.known(part)! })
    const widths = new Map<number, number>()
    for (const goal of needs.ratios) {
      const { part, times } = goal.ratio.numerator
      const within = (goal.within * this.#sizes.smallest(goal)!.size * (1 - 1e-9)) / Math.abs(times)
      widths.set(part, Math.min(widths.get(part) ?? needs.parts[part]!, within))
    }
    const made = [...widths]
      .filter(([part]) => !this.#final.has(part))
      .map(([part, within]): PartChoice => {
        const query = statement.parts[part]!
        return { part, query, within, choice: fresh(query, { within, confidence: 1 - doubt.other }, session.book) }
      })
    const isForSale = made.every(({ choice }) => choice.kind !== 'free' && isInNoiseRange(choice.charge.law))
    return isForSale ? made : undefined
  }

  /** What the whole will cost, this step included, if sizes are as estimated. */
  expected(stages: Stages): PartChoice[] | undefined {
    if (!this.#planned) return undefined
    const { below, above } = stages.denominators(this.#planned)
    for (const part of this.#final.keys()) below.delete(part)
    const last = new Map([...above].filter(([part]) => this.#last.has(part)))
    const [first, then] = [this.#sharpened(this.#early(below), stages), this.#refined(last, stages)]
    return first && then && [...first, ...then]
  }

  /** The most precise numerators that can be afforded, if the required ones cannot. */
  affordable(stages: Stages, isAllowed: (parts: readonly PartChoice[]) => boolean): Step | undefined {
    const areLeft = [...this.#denominators].every((part) => this.#final.has(part)) && this.#planned
    if (!areLeft) return undefined
    for (const share of stages.menu) {
      const sizes = new Map([...this.#last].map((part) => [part, this.#planned!.get(part)! * share]))
      const parts = this.#refined(sizes, stages)
      if (parts && isAllowed(parts)) return { kind: 'buy', parts }
    }
    return undefined
  }

  /** Parts that are bought before the final numerators, with their noises. Numerators that are also denominators get the smallest noise at once. */
  #early(below: ReadonlyMap<number, number>): Map<number, number> {
    const early = new Map([...below].filter(([part]) => !this.#final.has(part)))
    for (const { ratio } of this.#context.needs.ratios) {
      const { part } = ratio.numerator
      if (this.#last.has(part) || this.#final.has(part)) continue
      early.set(part, Math.min(early.get(part) ?? Infinity, this.#planned!.get(part)! / 2))
    }
    return early
  }

  /** By refining the last looks at them, if those had several times the noise. */
  #sharpened(sizes: ReadonlyMap<number, number>, stages: Stages): PartChoice[] | undefined {
    const parents = new Map<number, Measurement>()
    const noises = [...sizes].map(([part, size]) => {
      const seen = this.#seen.get(part)?.measurement
      const noise = seen && seen.law.kind === 'laplace' ? scaleOf(seen) : 0
      if (!seen || noise < worthRefining * size) return [part, size] as const
      parents.set(part, seen)
      return [part, Math.min(size, noise / leastRefining)] as const
    })
    const { book } = this.#context.session
    return stages.choices(new Map(noises))?.map((choice) => {
      const parent = parents.get(choice.part)
      if (!parent || choice.choice.kind === 'free') return choice
      return { ...choice, choice: refinementOf(choice.choice.charge, parent, book) }
    })
  }

  /** Denominators that earlier answers determine precisely enough are not bought. */
  #takeEarlier(stages: Stages): void {
    for (const [part, known] of this.#earlier) {
      if (this.#final.has(part)) continue
      const isPrecise = this.#context.needs.ratios.every((goal) => {
        const { numerator, denominator } = goal.ratio
        if (denominator.part !== part) return true
        const largest = this.#planned!.get(numerator.part)! * Math.abs(numerator.times)
        const noise = this.#sizes.reach(goal).most * Math.abs(denominator.times) * stages.largestNoise(known)
        return this.#last.has(numerator.part) && noise <= earlierNoise * largest
      })
      if (isPrecise) this.#final.set(part, { known })
    }
  }

  #bound(goal: RatioGoal, above: AnswerCharge): { widest: number; size: number } {
    const { numerator, denominator } = goal.ratio
    const final = this.#final.get(denominator.part)!
    const known = 'measurement' in final ? knownAlone(final.measurement) : final.known
    const { size } = this.#sizes.smallest(goal, known)!
    const { most } = this.#sizes.reach(goal)
    const noisiest = known.reduce((a, b) => (b.made.variance > a.made.variance ? b : a))
    const bound = boundOfTerms([noiseOf(above), noisiest.made.coefficients], 1 - this.#doubt)
    const widest = largestBound(bound, { x: Math.abs(numerator.times), y: most * Math.abs(denominator.times) })
    return { widest, size }
  }

  /** The final numerators, by refining their looks; bought afresh if the policy has a δ. */
  #refined(sizes: ReadonlyMap<number, number>, stages: Stages): PartChoice[] | undefined {
    const { session, doubt } = this.#context
    const made: PartChoice[] = []
    for (const [part, size] of sizes) {
      if (this.#final.has(part)) continue
      const charge = stages.noise(part).charge(size)
      if (!charge) return undefined
      const choice = refinementOf(charge, this.#looked.get(part)?.measurement, session.book)
      made.push({ part, query: charge.query, choice, within: halfWidth(charge, 1 - doubt.other) })
    }
    return made
  }
}
