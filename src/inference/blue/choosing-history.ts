import { toNumber } from '../../numeric/index.ts'
import { type LinearQuery, type Measurement, marginalOver } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { type Law, lawOf } from '../error-law/law.ts'
import type { Block } from './blocks/block.ts'
import { BlockIndex } from './blocks/block-index.ts'
import { BlockReader } from './blocks/block-reader.ts'
import { chosenRows } from './blocks/chosen-rows.ts'
import { Overlaps } from './blocks/overlap.ts'
import { RelevantRows } from './blocks/relevant-rows.ts'
import { numbersIn, rowOf, rowOfSize } from './blocks/row.ts'
import { type TableAnswer, tableAnswer } from './blocks/table-answer.ts'
import { tellingParts } from './blocks/teller.ts'
import { cellQuery } from './cell-query.ts'
import { compile, Shapes, type Weights } from './compile.ts'
import type { Estimate } from './estimate.ts'
import type { History, HistoryOptions, TableEstimates } from './history.ts'
import { cellsOf } from './noisy-answers.ts'
import { mostScalars, WholeHistory } from './whole-history.ts'

/** How many sums of answers are combined at first; then more, as long as that improves the estimate… */
const stages = [64, 512]
/** …by this share of its variance. */
const worthwhile = 0.05

/** A share of the variance that is not rounding. */
const noticeable = 1e-6
/** Up to this many scalar answers are all combined: there is no need to find out which of them matter. */
const fewScalars = 256
/** How many systems, one per kind of question, are kept. */
const mostSystems = 8

/**
 * A history that combines all answers while it is small, and beyond that the answers that say most about a question.
 * Which these are depends on queries and variances alone, never on a noisy number, so the estimate from them is
 * unbiased and its variance is right: docs/algorithms/blue.md, section 6.
 */
export class ChoosingHistory implements History {
  readonly #universe: Universe
  readonly #options: HistoryOptions
  readonly #shapes: Shapes
  readonly #reader: BlockReader
  readonly #index: BlockIndex
  /** Answers that are not in the index yet: as long as all are combined, few questions look there. */
  #unread: (readonly [Measurement, Law])[]
  /** Full marginals alone. */
  readonly #marginals: WholeHistory
  /** All answers, as long as they can all be combined; new ones are added when needed. */
  #whole: WholeHistory | undefined
  #waiting: (readonly [Measurement, { readonly replaces?: string }])[]
  /** Which answers matter to which questions, and the systems of some of them; computed on demand. */
  #relevant: RelevantRows | undefined
  #systems = new Map<string, WholeHistory>()
  /** Noisy numbers that are in no full marginal. */
  #count: number

  constructor(universe: Universe, options: HistoryOptions, from?: ChoosingHistory) {
    this.#universe = universe
    this.#options = options
    this.#shapes = from ? from.#shapes : new Shapes()
    this.#reader = from ? from.#reader : new BlockReader(universe, this.#shapes)
    this.#index = from ? from.#index.fork() : new BlockIndex(this.#reader)
    this.#unread = from ? from.#unread.slice() : []
    // Chosen answers are always combined.
    const chosen = { ...options, mostScalars: Number.POSITIVE_INFINITY }
    this.#marginals = from ? from.#marginals.fork() : new WholeHistory(universe, chosen, undefined, this.#shapes)
    this.#whole = from ? from.#whole?.fork() : new WholeHistory(universe, options, undefined, this.#shapes)
    this.#waiting = from ? from.#waiting.slice() : []
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
      this.#unread.push([measurement, law])
      this.#count += size
    }
    if (isMarginal || replaces !== undefined) this.#relevant = undefined
    this.#systems.clear()
    if (this.#count > this.#most) [this.#whole, this.#waiting] = [undefined, []]
    else if (this.#whole) this.#waiting.push([measurement, replaces === undefined ? {} : { replaces }])
  }

  /** All answers that are in no full marginal. */
  get #blocks(): BlockIndex {
    const unread = this.#unread
    this.#unread = []
    for (const [measurement, law] of unread) {
      const block = this.#index.add(measurement, law)
      if (block) this.#relevant?.add(block)
      else this.#relevant = undefined
    }
    return this.#index
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
    const first = query.by.length === 0 ? query : cellQuery(query, this.#universe, 0)
    return this.#atOnce([query])?.[0] ?? this.#allFor(query, first)?.estimate(query) ?? this.#chosen(query)
  }

  estimates(query: LinearQuery): Estimate[] {
    const cells = cellsOf(query, this.#universe)
    const atOnce = this.#whole && this.#atOnce(cells)
    if (atOnce) return atOnce
    const all = this.#allFor(query, cells[0]!)
    return all ? all.estimates(query, cells) : cells.map((cell) => this.#chosen(cell))
  }

  fromTables(query: LinearQuery): TableEstimates | undefined {
    const asked = this.#reader.read(query)
    const first = cellQuery(query, this.#universe, 0)
    const near = this.#blocks.near(compile(first, this.#universe, this.#shapes))
    const found = [
      this.#marginals.fromTables(query),
      ...near.map((block) => {
        const answer = tableAnswer(block, asked)
        return answer && this.#estimatesOf(query, answer)
      }),
    ]
    return found.reduce((best, next) => (next && !(best && totalOf(best) <= totalOf(next)) ? next : best), undefined)
  }

  #estimatesOf(query: LinearQuery, { values, kinds, parts, sizes }: TableAnswer): TableEstimates | undefined {
    const step = toNumber(query.step)
    const laws = parts.map((part, kind) => {
      const row = rowOfSize({ terms: [], step }, part, sizes[kind]!)
      return this.#marginals.alone(query, row, this.#count - numbersIn(row))
    })
    return laws.every((law) => law.estimable) ? { values: values.map((value) => step * value), kinds, laws } : undefined
  }

  /** Tables whose own cells add up to a question. */
  #telling(question: Weights): Block[] {
    return this.#blocks.near(question).filter((block) => tellingParts(block, question) !== undefined)
  }

  /** Estimates that follow from the corners of answers, without combining any; undefined unless all of them do. */
  #atOnce(queries: readonly LinearQuery[]): Estimate[] | undefined {
    const whole = this.#upToDate()
    const found: Estimate[] = []
    for (const query of queries) {
      const estimate = whole?.estimateAtOnce(query)
      if (!estimate) return undefined
      found.push(estimate)
    }
    return found
  }

  #upToDate(): WholeHistory | undefined {
    for (const [measurement, how] of this.#waiting) this.#whole?.append(measurement, how)
    this.#waiting = []
    return this.#whole
  }

  /** All answers that can matter to a query or to one of its groups, of which `first` is the first; undefined if there are too many. */
  #allFor(query: LinearQuery, first: LinearQuery): WholeHistory | undefined {
    const whole = this.#upToDate()
    if (!whole) return undefined
    if (this.#count > fewScalars && !whole.tellsApart(first)) {
      const question = compile(withoutGroups(query), this.#universe, this.#shapes)
      const blocks = this.#blocks
      this.#relevant ??= new RelevantRows(blocks.all, this.#marginals.marginalPlaces, this.#shapes)
      if (this.#relevant.sizeFor(question) <= this.#count / 2) return this.#systemFor(this.#relevant, question)
    }
    return whole
  }

  #systemFor(relevant: RelevantRows, question: Weights): WholeHistory {
    const key = relevant.key(question)
    const known = this.#systems.get(key)
    if (known) return known
    if (this.#systems.size >= mostSystems) this.#systems.delete(this.#systems.keys().next().value!)
    const system = this.#marginals.beside(relevant.rowsFor(question), 0)
    this.#systems.set(key, system)
    return system
  }

  /**
   * From marginals, from tables whose own cells add up to the question, and from other answers that help in
   * combination. The number of the latter does not depend on the former, so one more answer to the question adds its
   * own precision.
   */
  #chosen(query: LinearQuery): Estimate {
    const question = compile(query, this.#universe, this.#shapes)
    const telling = this.#telling(question)
    const ranked = this.#ranked(question, new Set(telling))
    let most = stages[0]!
    let best = this.#combined(query, question, { ranked, telling: [] }, most)
    for (const more of stages.slice(1)) {
      if (best.isAll) break
      const next = this.#combined(query, question, { ranked, telling: [] }, more)
      if (!(varianceOf(next.found) < (1 - worthwhile) * varianceOf(best.found))) break
      ;[best, most] = [next, more]
    }
    if (telling.length === 0) return best.found
    const joint = this.#combined(query, question, { ranked, telling }, most).found
    const alone = this.#alone(query, question, telling)
    // If the others add nothing but rounding errors, the distribution of a few noises is the better one.
    return varianceOf(joint) < (1 - noticeable) * varianceOf(alone) ? joint : alone
  }

  #combined(query: LinearQuery, question: Weights, blocks: Parameters<typeof chosenRows>[1], most: number) {
    const { rows, numbers, isAll } = chosenRows(question, blocks, most, this.#shapes)
    return { found: this.#marginals.beside(rows, this.#count - numbers).estimate(query), isAll }
  }

  /** The estimate from tables that determine the question by themselves, each weighted by its precision. */
  #alone(query: LinearQuery, question: Weights, telling: readonly Block[]): Estimate {
    const parts = telling.map((block) => tellingParts(block, question)!)
    const row = rowOf(question, parts)
    return this.#marginals.alone(query, row, this.#count - numbersIn(row))
  }

  /** The others, ranked by how much of the question they explain, divided by the variance of their noise. */
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

/** A query over the same attributes, with groups as conditions. */
const withoutGroups = ({ by, terms, step }: LinearQuery): LinearQuery => {
  const groups = by.map(({ attribute }) => [attribute, { kind: 'set', codes: [0] }] as const)
  const told = Object.fromEntries(groups)
  return {
    by: [],
    step,
    terms: terms.map(({ coefficient, factors }) => ({ coefficient, factors: { ...factors, ...told } })),
  }
}

const totalOf = ({ kinds, laws }: TableEstimates): number => kinds.reduce((sum, kind) => sum + laws[kind]!.variance, 0)

const varianceOf = (estimate: Estimate): number => (estimate.estimable ? estimate.variance : Number.POSITIVE_INFINITY)
