import type { Shapes, Weights } from '../compile.ts'
import { kept } from '../kept.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'
import { corePartsOf, placesOf } from './core-tables.ts'
import type { Corners, Listed } from './corners.ts'
import { looseRows } from './loose-rows.ts'
import { SplitCore, type System } from './split-core.ts'

/** An answer of the core. */
interface Row extends Listed {
  readonly answer: ScalarAnswer
}

/** So many are kept: one for each set of attributes that questions lack. */
const mostSplits = 4

/**
 * What the core is split into, for questions of different kinds: answers that have no share in a question's estimate may
 * keep tables from being split, so they are left out first (`loose-rows.ts`).
 */
export class CoreSplits {
  readonly #shapes: Shapes
  readonly #corners: Corners
  readonly #open: () => System
  #core: readonly Row[] = []
  /** Answers by the attributes that they depend on. */
  #byPlace = new Map<number, Row[]>()
  /** Of attributes: answers that depend on them and do not matter to what does not. */
  readonly #loose = new Map<number, readonly Row[]>()
  readonly #splits = new Map<string, SplitCore | undefined>()
  /** Made of an earlier core. */
  #before: Set<SplitCore>

  constructor(shapes: Shapes, corners: Corners, open: () => System, from?: CoreSplits) {
    this.#shapes = shapes
    this.#corners = corners
    this.#open = open
    this.#before = new Set(from ? Array.from(from.#made, (split) => split.fork()) : [])
  }

  /** The same, to be read again. */
  fork(open: () => System): CoreSplits {
    return new CoreSplits(this.#shapes, this.#corners, open, this)
  }

  /** Number of answers that one of them uses alone. */
  get leftOut(): number {
    return this.#made.reduce((most, { leftOut }) => Math.max(most, leftOut), 0)
  }
  get hasRedundant(): boolean {
    return this.#made.some(({ hasRedundant }) => hasRedundant)
  }
  get #made(): SplitCore[] {
    return [...this.#before, ...this.#splits.values()].filter((split) => split !== undefined)
  }

  /** Answers have come to the core. */
  read(core: readonly Row[]): void {
    this.#before = new Set(this.#made)
    this.#core = core
    this.#byPlace = new Map()
    for (const row of core) for (const place of placesIn(row.weights)) kept(this.#byPlace, place, () => []).push(row)
    this.#loose.clear()
    this.#splits.clear()
  }

  /** Undefined where all of the core is needed. */
  for(question: Weights): SplitCore | undefined {
    const asked = placesOf(question)
    const lacking = [...this.#byPlace.keys()].filter(
      (place) => !asked.includes(place) && this.#looseIn(place).length > 0,
    )
    const key = lacking.sort((x, y) => x - y).join()
    if (!this.#splits.has(key)) {
      if (this.#splits.size >= mostSplits) this.#splits.delete(this.#splits.keys().next().value!)
      this.#splits.set(key, this.#without(new Set(lacking.flatMap((place) => this.#looseIn(place)))))
    }
    return this.#splits.get(key)
  }

  #looseIn(place: number): readonly Row[] {
    return kept(this.#loose, place, () => looseRows(this.#byPlace.get(place)!, place, this.#corners))
  }

  #without(loose: ReadonlySet<Row>): SplitCore | undefined {
    const rows = this.#core.filter((row) => !loose.has(row)).map(({ answer }) => answer)
    const parts = corePartsOf(rows, this.#shapes)
    const isLess = parts.tables.length > 0 || 2 * loose.size > this.#core.length
    return isLess ? SplitCore.of(parts, this.#shapes, this.#open, this.#before) : undefined
  }
}

/** Attributes that a query depends on, each once. */
const placesIn = (weights: Weights): Iterable<number> =>
  weights.terms.length === 1 ? weights.terms[0]!.attributes : new Set(placesOf(weights))
