import type { Universe } from '../../../schema/index.ts'
import type { Shapes, Weights } from '../compile.ts'
import { kept } from '../kept.ts'
import { Components } from '../marginals/components.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'
import { Certainty } from '../proof/certainty.ts'
import { type Rounded, unit, unitsOf } from '../rounding.ts'
import type { Combined } from './combined.ts'
import { Core, type Entry, type Part, squaresOver } from './core.ts'
import { CoreSplits } from './core-splits.ts'
import { Corners, type Listed, type Sparse } from './corners.ts'
import { Multiples } from './multiples.ts'
import { type Peeled, RowsToPeel } from './peel.ts'
import { type Reduction, reduce } from './reduction.ts'
import { isListed, Space } from './space.ts'
import { Span } from './span.ts'
import type { SplitCore } from './split-core.ts'

/** What scalar answers are seen against. */
interface Surroundings {
  readonly universe: Universe
  readonly components: Components
  /** So many are combined. */
  readonly most: number
  readonly random: () => number
  readonly shapes: Shapes
}

/** A question's corners where they are listed, and what peeled rows leave of it. */
interface Reduced {
  readonly sparse: Sparse | undefined
  readonly reduction: Reduction<Entry & Listed> | undefined
}

/**
 * Scalar answers on top of marginals: docs/algorithms/blue.md, sections 2 and 3. This is the room's main file. A query is a
 * vector of integers at its corners (`corners.ts`); rows with a corner of their own are peeled (`peel.ts`, `reduction.ts`); the
 * others are the core (`core.ts`), which may fall into parts (`split-core.ts`). Which queries are combinations of which depends on the components that marginals
 * know, so what is peeled and the core's `Span` are kept for as long as these are the same; least squares depend on
 * every variance.
 */
export class Scalars {
  readonly #universe: Universe
  readonly #most: number
  readonly #random: () => number
  readonly #shapes: Shapes
  readonly #entries: Map<Weights, Entry>
  readonly #corners: Corners
  readonly #core: Core
  /** Made when it is first needed: few histories have answers that are used alone. */
  #multiples: Multiples | undefined
  /** Of the components: answers may stay where they are as long as it is the same. */
  readonly signature: string
  #components: Components
  /** Queries by all of their corners, those that marginals know included. */
  readonly #everything: Corners
  /** All answers whose corners are known. */
  readonly #rows = new RowsToPeel<Entry & Listed>()
  #peeled: Peeled<Entry & Listed> = { rows: [], corners: new Int32Array() }
  /** Answers of the core that are not placed yet: that takes long, and is done when a question first needs it. */
  #unplaced: readonly Entry[] = []
  /** Whether an answer of the core has a corner. */
  #isHeld: (corner: number) => boolean = () => false
  /** Questions without what peeled rows have of them, until answers come: a question is looked at in several ways. */
  #reductions = new WeakMap<Weights, Reduced>()
  /** Whether all answers are peeled or in the core. */
  #isPeeled = true
  /** Answers whose corners are not known. */
  #unlisted = 0
  /** Those that are set aside. */
  #asides: readonly ScalarAnswer[] = []
  /** The core in parts, where it has some; looked at again when answers have come to it. */
  #splits: CoreSplits
  #areSplitsRead = false

  constructor({ universe, components, most, random, shapes }: Surroundings, from?: Scalars) {
    this.#universe = universe
    this.#most = most
    this.#random = random
    this.#shapes = shapes
    this.#components = components
    this.signature = components.signature
    this.#corners = from ? from.#corners : new Corners(components)
    this.#everything = from ? from.#everything : new Corners(new Components(universe))
    this.#entries = new Map(from ? Array.from(from.#entries, ([weights, entry]) => [weights, { ...entry }]) : [])
    for (const entry of this.#entries.values()) if (isListed(entry)) this.#rows.add(entry)
    this.#core = from
      ? from.#core.fork(this.#entries)
      : new Core(this.#entries, {
          span: new Span(new Space(components, this.#corners), Certainty.over(universe, components, random)),
          squares: squaresOver(components),
        })
    this.#multiples = from ? from.#multiples : undefined
    this.#asides = from ? from.#asides : []
    this.#unlisted = from ? from.#unlisted : 0
    this.#isPeeled = !from
    const open = () => new Scalars(this.#surroundings)
    this.#splits = from ? from.#splits.fork(open) : new CoreSplits(shapes, this.#corners, open)
  }

  /** The same answers, to go on with in another way; O(answers), what is large is shared. */
  fork(): Scalars {
    return new Scalars(this.#surroundings, this)
  }

  get #surroundings(): Surroundings {
    return {
      universe: this.#universe,
      components: this.#components,
      most: this.#most,
      random: this.#random,
      shapes: this.#shapes,
    }
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** Number of answers that are used alone: beyond the cap, or too near to others to tell what they add. */
  get leftOut(): number {
    return this.#asides.length + this.#splits.leftOut
  }

  /** Are there answers that least squares could not tell from others, since their noise is lost beside that of marginals? */
  get hasRedundant(): boolean {
    return this.#core.hasRedundant || this.#splits.hasRedundant
  }

  add(answers: readonly ScalarAnswer[]): void {
    const beyond: ScalarAnswer[] = []
    for (const answer of answers) {
      const { weights } = answer
      const fits = this.#entries.size < this.#most
      if (!fits) beyond.push(answer)
      const sparse = fits ? this.#corners.of(weights) : undefined
      if (!sparse) this.#unlisted++
      const state = fits ? 'peeled' : 'aside'
      const entry: Entry = { answer, weights, sparse, residual: undefined, position: undefined, state }
      this.#entries.set(weights, entry)
      if (isListed(entry)) this.#rows.add(entry)
    }
    this.#isPeeled = false
    // Looking through all of them for every answer would take a square of their number.
    if (beyond.length > 0) this.#asides = [...this.#asides, ...beyond]
  }

  /** Refined answers to the same queries. */
  replace(successors: ReadonlyMap<Weights, ScalarAnswer>): void {
    for (const [weights, answer] of successors)
      Object.assign(this.#entries.get(weights)!, { answer, residual: undefined })
    this.#forgetSplits()
    if (this.#core.refine(successors)) this.#asides = this.#setAside()
    else this.refresh(this.#components)
  }

  /** Variances have changed, of answers or of the components, which must be the same ones. */
  refresh(components: Components): void {
    this.#components = components
    this.#forgetSplits()
    for (const entry of this.#entries.values()) entry.residual = undefined
    this.#core.refresh(components)
    this.#asides = this.#setAside()
  }

  /** Peels anew, with what has come since. What was placed in the core stays there. */
  #peel(): void {
    if (this.#isPeeled) return
    const isHere = (entry: Entry) => !isListed(entry) && (entry.state === 'peeled' || entry.position !== undefined)
    const unlisted = this.#unlisted > 0 ? [...this.#entries.values()].filter(isHere) : []
    const has = (corner: number) => unlisted.some(({ weights }) => this.#corners.valueAt(weights, corner) !== 0)
    const isTaken = unlisted.length > 0 ? has : () => false
    const { peeled, core, isHeld } = this.#rows.peel(({ position }) => position !== undefined, isTaken)
    this.#peeled = peeled
    this.#unplaced = [...core, ...unlisted.filter(({ position }) => !position)]
    this.#isHeld = isHeld
    this.#reductions = new WeakMap()
    this.#isPeeled = true
    this.#areSplitsRead = false
  }

  /** Whether the core falls into parts that tell this question: then it takes far less than all of the core. */
  tellsApart(weights: Weights): boolean {
    return this.#reduced(weights).reduction?.rows.length === 0 && this.#splitFor(weights)?.tells(weights) === true
  }

  /** A question without what peeled rows have of it. */
  #reduced(weights: Weights): Reduced {
    this.#peel()
    return kept(this.#reductions, weights, () => {
      const sparse = this.#corners.asked(weights)
      return { sparse, reduction: reduce({ weights, sparse }, this.#peeled, this.#corners) }
    })
  }

  #forgetSplits(): void {
    this.#splits = new CoreSplits(this.#shapes, this.#corners, () => new Scalars(this.#surroundings))
    this.#areSplitsRead = false
  }

  /** Where marginals know something, what is estimated together is not only what has corners in common. */
  #splitFor(weights: Weights): SplitCore | undefined {
    if (!this.#components.isEmpty || this.#unlisted > 0) return undefined
    if (!this.#areSplitsRead) {
      const core: (Entry & Listed)[] = []
      for (const entry of this.#entries.values()) if (entry.position && isListed(entry)) core.push(entry)
      for (const entry of this.#unplaced) if (isListed(entry)) core.push(entry)
      this.#splits.read(core)
      this.#areSplitsRead = true
    }
    return this.#splits.for(weights)
  }

  /** Places what is in the core and was not placed yet. */
  #settle(): void {
    this.#peel()
    if (this.#unplaced.length === 0) return
    this.#core.add(this.#unplaced)
    this.#unplaced = []
    this.#asides = this.#setAside()
  }

  #setAside(): ScalarAnswer[] {
    return [...this.#entries.values()].filter(({ state }) => state === 'aside').map(({ answer }) => answer)
  }

  /**
   * The best estimate; undefined when the history does not determine the question. `others` are answers that are used
   * alone as well.
   */
  estimate(weights: Weights, others: readonly ScalarAnswer[] = []): Combined | undefined {
    const joint = this.#joint(weights)
    // Where not all corners are listed, doubles may not place a question that was asked itself.
    const isOpen = !joint && this.#unlisted > 0
    const single = isOpen ? Array.from(this.#entries.values(), ({ answer }) => answer) : this.#asides
    return [...single, ...others].reduce((best, answer) => {
      this.#multiples ??= new Multiples(this.#universe, this.#random)
      const alone = this.#multiples.estimate(weights, answer)
      return alone && !(best && best.variance <= alone.variance) ? { ...alone, isSingle: isOpen } : best
    }, joint)
  }

  /**
   * What can be said without the core. A question that is a sum of peeled answers has no better estimate: each of these has
   * a parameter to itself. One that has a corner which no answer has cannot be estimated: null. Else undefined.
   */
  estimateAtOnce(weights: Weights): Combined | null | undefined {
    if (this.#unlisted > 0) return undefined
    const { sparse, reduction } = this.#reduced(weights)
    if (!sparse || !reduction?.rest.sparse) return undefined
    const { at } = reduction.rest.sparse
    if (at.some((corner) => corner >= this.#corners.count || !this.#isHeld(corner))) return null
    if (at.length > 0 || this.#everything.asked(reduction.rest.weights)?.at.length !== 0) return undefined
    const { parts, variance } = partsOf(reduction.rows)
    return {
      ...this.#made(weights, parts),
      variance,
      largest: variance,
      excess: 0,
      deviations: 0,
      isFinal: true,
    }
  }

  #joint(weights: Weights): Combined | undefined {
    const atOnce = this.estimateAtOnce(weights)
    if (atOnce !== undefined) return atOnce ?? undefined
    const { reduction } = this.#reduced(weights)
    const apart = reduction?.rows.length === 0 ? this.#splitFor(weights)?.estimate(weights) : undefined
    if (apart !== undefined) return apart ? this.#told(weights, apart) : undefined
    this.#settle()
    const combined = reduction && this.#core.combine(reduction.rest, reduction.den)
    if (!combined) return undefined
    const { parts, variance: alone } = partsOf(reduction.rows)
    const { shares, used, rounding } = combined
    const made = this.#made(weights, [...parts, ...used])
    return {
      ...made,
      rounding: made.rounding + rounding,
      variance: shares.variance + alone,
      largest: shares.largest + alone,
      excess: shares.excess,
      deviations: shares.deviations,
    }
  }

  #told(weights: Weights, { answers, ...told }: NonNullable<ReturnType<SplitCore['estimate']>>): Combined {
    const { value: estimate, rounding } = sumOf(answers)
    const rest = () => [
      { weights, times: 1 },
      ...answers.map(({ answer, times }) => ({ weights: answer.weights, times: -times })),
    ]
    return { ...told, estimate, answers, rest, rounding: rounding + told.rounding }
  }

  /** What so many of the answers' queries make of the question. */
  #made(weights: Weights, used: readonly Part[]): Pick<Combined, 'estimate' | 'rounding' | 'answers' | 'rest'> {
    const { value: estimate, rounding } = this.#sum(weights, used)
    return {
      estimate,
      rounding,
      answers: used.map(({ weights: of, times }) => ({ answer: this.#entries.get(of)!.answer, times })),
      rest: () => [{ weights, times: 1 }, ...used.map(({ weights: of, times }) => ({ weights: of, times: -times }))],
    }
  }

  /** What marginals say, and what the answers add to it. A sum of integers is exact. */
  #sum(question: Weights, used: readonly Part[]): Rounded {
    const own = this.#components.estimate(question)
    let [value, rounding, size] = [own.value, own.rounding, Math.abs(own.value)]
    let isWhole = Number.isSafeInteger(own.value)
    for (const { weights, times } of used) {
      const residual = this.#residual(weights)
      value += times * residual.value
      rounding += Math.abs(times) * residual.rounding
      size += Math.abs(times * residual.value)
      isWhole &&= Number.isInteger(times) && Number.isInteger(residual.value)
    }
    const isExact = isWhole && Number.isSafeInteger(size)
    return { value, rounding: isExact ? rounding : rounding + unitsOf(used.length) * unit * size }
  }

  #residual(weights: Weights): Rounded {
    const entry = this.#entries.get(weights)!
    entry.residual ??= differenceOf(entry.answer, this.#components.estimate(weights))
    return entry.residual
  }
}

/** Where marginals know nothing. A sum of integers is exact. */
function sumOf(answers: Combined['answers']): Rounded {
  let [value, rounding, size, isWhole] = [0, 0, 0, true]
  for (const { answer, times } of answers) {
    const product = times * answer.value
    value += product
    rounding += Math.abs(times) * (answer.rounding ?? 0)
    size += Math.abs(product)
    isWhole &&= Number.isInteger(times) && Number.isInteger(answer.value)
  }
  const isExact = isWhole && Number.isSafeInteger(size)
  return { value, rounding: isExact ? rounding : rounding + unitsOf(answers.length) * unit * size }
}

function differenceOf({ value, rounding = 0 }: ScalarAnswer, estimate: Rounded): Rounded {
  const difference = value - estimate.value
  const isExact = Number.isSafeInteger(value) && Number.isSafeInteger(estimate.value)
  const own = isExact ? 0 : 2 * unit * Math.abs(difference)
  return { value: difference, rounding: rounding + estimate.rounding + own }
}

/** Peeled answers, each with noise of its own. */
function partsOf(rows: readonly { readonly row: Entry; readonly times: number }[]) {
  return {
    parts: rows.map(({ row, times }): Part => ({ weights: row.weights, times })),
    variance: rows.reduce((sum, { row, times }) => sum + times * times * row.answer.variance, 0),
  }
}
