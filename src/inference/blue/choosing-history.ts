import { type LinearQuery, type Measurement, marginalOver } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { lawOf } from '../posterior/law.ts'
import type { Block } from './blocks/block.ts'
import { BlockIndex } from './blocks/block-index.ts'
import { BlockReader } from './blocks/block-reader.ts'
import { chosenRows } from './blocks/chosen-rows.ts'
import { Overlaps } from './blocks/overlap.ts'
import { numbersIn, rowOf } from './blocks/row.ts'
import { tellingParts } from './blocks/teller.ts'
import { compile, Shapes, type Weights } from './compile.ts'
import type { Estimate } from './estimate.ts'
import type { History, HistoryOptions } from './history.ts'
import { cellsOf } from './noisy-answers.ts'
import { mostScalars, WholeHistory } from './whole-history.ts'

/** Sums of answers that are combined: first so many, then more, as long as that makes the estimate better… */
const stages = [64, 256, 1024]
/** …by this share of its variance. */
const worthwhile = 0.01

/**
 * A history that is asked as a whole while it is small, and from then on for the answers that tell most about a question.
 * Which these are depends on queries and variances alone, never on a noisy number, so that the estimate from them is
 * unbiased and its variance right: docs/algorithms/blue.md, section 6.
 */
export class ChoosingHistory implements History {
  readonly #universe: Universe
  readonly #options: HistoryOptions
  readonly #shapes: Shapes
  readonly #reader: BlockReader
  readonly #blocks: BlockIndex
  /** Full marginals alone. */
  readonly #marginals: WholeHistory
  /** All answers, as long as they can all be combined. */
  #whole: WholeHistory | undefined
  /** Noisy numbers that are in no full marginal. */
  #count: number

  constructor(universe: Universe, options: HistoryOptions, from?: ChoosingHistory) {
    this.#universe = universe
    this.#options = options
    this.#shapes = from ? from.#shapes : new Shapes()
    this.#reader = from ? from.#reader : new BlockReader(universe, this.#shapes)
    this.#blocks = from ? from.#blocks.fork() : new BlockIndex(this.#reader)
    // What is chosen is always combined.
    const chosen = { ...options, mostScalars: Number.POSITIVE_INFINITY }
    this.#marginals = from ? from.#marginals.fork() : new WholeHistory(universe, chosen, undefined, this.#shapes)
    this.#whole = from ? from.#whole?.fork() : new WholeHistory(universe, options, undefined, this.#shapes)
    this.#count = from ? from.#count : 0
  }

  fork(): ChoosingHistory {
    return new ChoosingHistory(this.#universe, this.#options, this)
  }

  append(measurement: Measurement, { replaces }: { readonly replaces?: string } = {}): void {
    const law = (this.#options.law ?? lawOf)(measurement.law)
    const isMarginal = law === undefined || marginalOver(measurement.query) !== undefined
    const size = measurement.values.length
    if (replaces !== undefined) this.#remove(replaces)
    if (isMarginal) this.#marginals.append(measurement)
    else {
      this.#blocks.add(measurement, law)
      this.#count += size
    }
    if (this.#count <= this.#most) this.#whole?.append(measurement, replaces === undefined ? {} : { replaces })
    else this.#whole = undefined
  }

  get #most(): number {
    return this.#options.mostScalars ?? mostScalars
  }

  #remove(id: string): void {
    const numbers = this.#blocks.remove(id)
    if (numbers === undefined) this.#marginals.remove(id)
    else this.#count -= numbers
  }

  estimate(query: LinearQuery): Estimate {
    return this.#whole ? this.#whole.estimate(query) : this.#chosen(query)
  }

  estimates(query: LinearQuery): Estimate[] {
    return this.#whole ? this.#whole.estimates(query) : cellsOf(query, this.#universe).map((cell) => this.#chosen(cell))
  }

  /** From marginals, from tables whose own cells add up to the question, and from what tells more together with others. */
  #chosen(query: LinearQuery): Estimate {
    const question = compile(query, this.#universe, this.#shapes)
    const telling = this.#blocks.near(question).filter((block) => tellingParts(block, question) !== undefined)
    let best = this.#alone(query, question, telling)
    const ranked = [...telling, ...this.#ranked(question, new Set(telling))]
    for (const most of stages) {
      const { rows, numbers, isAll } = chosenRows(ranked, question, most, this.#shapes)
      const found = this.#marginals.beside(rows, this.#count - numbers).estimate(query)
      const [before, after] = [varianceOf(best), varianceOf(found)]
      if (after < before || !best) best = found
      if (isAll || after > (1 - worthwhile) * before) break
    }
    return best!
  }

  /** What tables say that tell the question by themselves, each weighted by its precision. */
  #alone(query: LinearQuery, question: Weights, telling: readonly Block[]): Estimate | undefined {
    if (telling.length === 0) return undefined
    const parts = telling.map((block) => tellingParts(block, question)!)
    const row = rowOf(question, parts)
    return this.#marginals.alone(query, row, this.#count - numbersIn(row))
  }

  /** The others by how much of the question they tell, over the variance of their noise. */
  #ranked(question: Weights, but: ReadonlySet<Block>): Block[] {
    const overlaps = new Overlaps(question, this.#reader.views)
    const scored: { block: Block; score: number }[] = []
    for (const block of this.#blocks.all) {
      const score = but.has(block) ? 0 : overlaps.of(block) / block.variance
      if (score > 0) scored.push({ block, score })
    }
    return scored.sort((x, y) => y.score - x.score).map(({ block }) => block)
  }
}

const varianceOf = (estimate: Estimate | undefined): number =>
  estimate?.estimable ? estimate.variance : Number.POSITIVE_INFINITY
