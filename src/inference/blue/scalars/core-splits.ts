import type { Shapes, Weights } from '../compile.ts'
import { kept } from '../kept.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'
import { corePartsOf, placesOf } from './core-tables.ts'
import type { Corners, Listed } from './corners.ts'
import { LooseRows } from './loose-rows.ts'
import { SplitCore, type System } from './split-core.ts'

/** An answer of the core. */
interface Row extends Listed {
  readonly answer: ScalarAnswer
}

/** So many are kept, those that were asked last: one for each set of attributes that questions lack. */
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
  readonly #known = new Set<Row>()
  /** Of attributes: answers that depend on them and do not matter to what does not. */
  readonly #loose = new Map<number, LooseRows<Row>>()
  /** Those of them that are so now. */
  readonly #looseNow = new Map<number, readonly Row[]>()
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
    return [...this.#splits.values(), ...this.#before].filter((split) => split !== undefined)
  }

  /** Answers have come to the core, which has all that it had. */
  read(core: readonly Row[]): void {
    this.#before = new Set(this.#made.slice(0, mostSplits))
    this.#core = core
    for (const row of core)
      if (!this.#known.has(row)) {
        this.#known.add(row)
        for (const place of placesIn(row.weights))
          kept(this.#loose, place, () => new LooseRows(place, this.#corners)).add(row)
      }
    this.#looseNow.clear()
    this.#splits.clear()
  }

  /** Undefined where all of the core is needed. */
  for(question: Weights): SplitCore | undefined {
    const asked = placesOf(question)
    const lacking = [...this.#loose].flatMap(([place, loose]) => {
      const rows = asked.includes(place) ? [] : kept(this.#looseNow, place, () => loose.rows)
      return rows.length > 0 ? [{ place, rows }] : []
    })
    const key = lacking
      .map(({ place }) => place)
      .sort((x, y) => x - y)
      .join()
    if (!this.#splits.has(key)) {
      if (this.#splits.size >= mostSplits) this.#splits.delete(this.#splits.keys().next().value!)
      this.#splits.set(key, this.#without(new Set(lacking.flatMap(({ rows }) => rows))))
    }
    return this.#splits.get(key)
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
