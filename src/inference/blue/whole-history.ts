import { toNumber } from '../../numeric/index.ts'
import {
  answerSize,
  countAll,
  keptKey,
  type LinearQuery,
  type Measurement,
  marginalOver,
  type NoiseLaw,
} from '../../query/index.ts'
import { problem, type Universe } from '../../schema/index.ts'
import { type Law, lawOf } from '../error-law/law.ts'
import { cellQuery } from './cell-query.ts'
import { compile, Shapes, type Weights } from './compile.ts'
import { plainest } from './corner-count.ts'
import { type Estimate, type EstimateContext, estimateOf, type Moment } from './estimate.ts'
import type { History, HistoryOptions, TableEstimates } from './history.ts'
import { kept } from './kept.ts'
import { Components } from './marginals/components.ts'
import { type Kind, kindsOf } from './marginals/marginal-kinds.ts'
import { calmest } from './noise-levels.ts'
import {
  cellsOf,
  inOrderOf,
  type MarginalAnswer,
  numbers,
  readMarginal,
  readScalars,
  type ScalarAnswer,
} from './noisy-answers.ts'
import { Certainty } from './proof/certainty.ts'
import { GroupedAnswers } from './scalars/grouped-answers.ts'
import { Scalars } from './scalars/scalars.ts'

/** The default number of scalar answers that are combined. */
export const mostScalars = 5000

/** If rounding may have cost more than this share of the precision, a part of the history may give a better estimate. */
const mostExcess = 2 ** -7

/** Full marginals, and their combined estimate. */
interface Tables {
  readonly components: Components
  readonly marginals: readonly MarginalAnswer[]
  readonly kinds: readonly Kind[]
}

/** An estimate from all answers. */
interface Found {
  readonly found: Estimate
  /** Whether no part of them could give a better one. */
  readonly isBest: boolean
  /** Whether they could not be combined to determine it. */
  readonly isOpen?: boolean | undefined
}

/**
 * Marginals by their components (`marginals/`), all other answers by least squares on top of these (`scalars/`), and proofs of
 * what is estimable (`proof/`).
 */
export class WholeHistory implements History {
  readonly #universe: Universe
  readonly #options: HistoryOptions
  readonly #law: (noise: NoiseLaw) => Law | undefined
  readonly #random: () => number
  readonly #shapes: Shapes
  readonly #queries: Map<string, string>
  readonly #marginals: Map<string, MarginalAnswer>
  readonly #answers: AnswerLists
  /** Grouped answers that would exceed the cap. */
  readonly #grouped: GroupedAnswers
  #publicCount: number | undefined
  /** What has been computed; scalar answers wait until the next estimate. */
  #tables: Tables | undefined
  #scalars: Scalars | undefined
  #waiting: ScalarAnswer[]
  /** Has anything been added to the scalars since they were first combined? */
  #isGrown: boolean
  /** The history without its noisiest answers, made when it is first needed; null where there is none. */
  #calmer: WholeHistory | null | undefined
  /** The same without queries of very many corners. */
  #plainer: WholeHistory | null | undefined
  /** A new object whenever an answer is added or replaced. */
  #moment: Moment = {}
  /** Questions made ready, which are looked at in several ways. */
  readonly #asked = new WeakMap<LinearQuery, Weights>()
  /** Number of answers that were left out to make this one. */
  #dropped: number
  /** Number of answers of the history that this one is a part of, and does not have. */
  #elsewhere: number

  constructor(universe: Universe, options: HistoryOptions, from?: WholeHistory, shapes = new Shapes()) {
    this.#universe = universe
    this.#options = options
    this.#law = options.law ?? lawOf
    this.#random = options.random
    this.#shapes = from ? from.#shapes : shapes
    this.#queries = new Map(from ? from.#queries : [])
    this.#marginals = new Map(from ? from.#marginals : [])
    this.#answers = new AnswerLists(from ? from.#answers : undefined)
    this.#grouped = from ? from.#grouped.fork() : new GroupedAnswers(universe, this.#shapes)
    this.#waiting = from ? from.#waiting.slice() : []
    this.#publicCount = from ? from.#publicCount : options.publicCount
    this.#isGrown = from ? from.#isGrown : false
    this.#calmer = this.#plainer = undefined
    this.#dropped = from ? from.#dropped : 0
    this.#elsewhere = from ? from.#elsewhere : 0
    this.#tables = from ? from.#tables : undefined
    this.#scalars = from ? from.#scalars?.fork() : undefined
  }

  /** The copy includes what has been computed so far, so copy after an estimate rather than before. */
  fork(): WholeHistory {
    return new WholeHistory(this.#universe, this.#options, this)
  }

  /** Attributes that full marginals are over, and none where the number of records is public. */
  get marginalPlaces(): (readonly number[])[] {
    const places = Array.from(this.#marginals.values(), ({ attributes }) => attributes)
    return this.#publicCount === undefined ? places : [...places, []]
  }

  /** The same marginals with these answers beside them; so many others are elsewhere. */
  beside(answers: readonly ScalarAnswer[], elsewhere: number): WholeHistory {
    this.#settled()
    const other = new WholeHistory(this.#universe, this.#options, this)
    for (const [i, answer] of answers.entries()) other.#answers.set(`${i} of the others`, [answer])
    other.#waiting.push(...answers)
    other.#elsewhere = elsewhere
    return other
  }

  append(measurement: Measurement, { replaces }: { readonly replaces?: string } = {}): void {
    this.#calmer = this.#plainer = undefined
    this.#moment = {}
    const law = this.#law(measurement.law)
    if (law) this.#add(measurement, law, replaces)
    else this.#publish(measurement)
  }

  #add(measurement: Measurement, law: Law, replaces: string | undefined): void {
    const text = keptKey(measurement.query)
    const marginal = readMarginal(measurement, law, this.#universe)
    const parent = this.#queries.get(replaces ?? '') === text ? this.#answers.get(replaces!)! : []
    const isKeptWhole = !marginal && parent.length === 0 && !this.#fits(measurement.query)
    const answers = marginal || isKeptWhole ? [] : readScalars(measurement, law, this.#universe, this.#shapes)
    if (parent.length > 0) {
      this.#refine(replaces!, measurement.id, answers)
    } else {
      if (replaces !== undefined) this.remove(replaces)
      if (marginal) this.#addMarginal(measurement.id, marginal)
      if (isKeptWhole) this.#grouped.add(measurement, law)
      this.#answers.set(measurement.id, answers)
      for (const answer of answers) this.#waiting.push(answer)
    }
    this.#queries.set(measurement.id, text)
  }

  /** Whether all groups of a query can be combined with the others. One answer beyond the cap is set aside by itself. */
  #fits(query: LinearQuery): boolean {
    const count = answerSize(query, this.#universe)
    if (count === 1) return true
    return this.#answers.count + count <= (this.#options.mostScalars ?? mostScalars)
  }

  /** A query that is the same for every record, answered without noise, gives the number of records. */
  #publish({ query, values }: Measurement): void {
    const one = compile(countAll, this.#universe, this.#shapes)
    const certainty = Certainty.over(this.#universe, undefined, this.#random)
    cellsOf(query, this.#universe).forEach((cell, i) => {
      const weights = compile(cell, this.#universe, this.#shapes)
      if (weights.terms.length === 0) return
      const times = certainty.multiple(weights, one, meanOf(weights))
      if (times === undefined) {
        const message = 'an answer without noise must be to a query that is the same for every record'
        throw problem('not-supported', message)
      }
      if (times !== 0) this.#publicCount = numbers(values)[i]! / times
    })
    this.#tables = undefined
  }

  #addMarginal(id: string, marginal: MarginalAnswer): void {
    this.#marginals.set(id, marginal)
    this.#tables = undefined
  }

  /** Refined answers to the same scalar queries: their inner products with the others stay the same. */
  #refine(parent: string, id: string, answers: readonly ScalarAnswer[]): void {
    const before = this.#answers.get(parent)!
    const after = answers.map((answer, i) => ({ ...answer, weights: before[i]!.weights }))
    this.#answers.delete(parent)
    this.#queries.delete(parent)
    this.#answers.set(id, after)
    const successors = new Map(after.map((answer) => [answer.weights, answer]))
    const waiting = new Set(this.#waiting.map(({ weights }) => weights))
    this.#waiting = this.#waiting.map((answer) => successors.get(answer.weights) ?? answer)
    if (!before.some(({ weights }) => waiting.has(weights))) this.#scalars?.replace(successors)
    this.#isGrown = true
  }

  remove(id: string): void {
    this.#moment = {}
    if (!this.#queries.delete(id))
      throw problem('unknown-name', `there is no measurement ${id} in the history`, undefined, { id })
    if (this.#marginals.delete(id)) this.#tables = undefined
    if (this.#answers.get(id)!.length > 0) this.#scalars = undefined
    this.#answers.delete(id)
    this.#grouped.remove(id)
    this.#waiting = this.#waiting.filter((answer) => answer.id !== id)
  }

  /** Takes in what is new since the last estimate. */
  #settled(): { tables: Tables; scalars: Scalars } {
    const before = this.#tables
    const tables = before ?? this.#summed()
    const { components } = tables
    let scalars = this.#scalars
    if (tables !== before) {
      if (scalars?.signature === components.signature) scalars.refresh(components)
      else scalars = undefined
    }
    if (!scalars) {
      const most = this.#options.mostScalars ?? mostScalars
      scalars = new Scalars({ universe: this.#universe, components, most, random: this.#random, shapes: this.#shapes })
      this.#waiting = [...this.#answers.values()].flat()
    }
    this.#isGrown = scalars === this.#scalars && (this.#isGrown || this.#waiting.length > 0)
    if (this.#waiting.length > 0) scalars.add(this.#waiting)
    this.#waiting = []
    this.#tables = tables
    this.#scalars = scalars
    return { tables, scalars }
  }

  #summed(): Tables {
    const components = new Components(this.#universe)
    const marginals = [...this.#marginals.values()]
    if (this.#publicCount !== undefined) components.publish(this.#publicCount)
    for (const marginal of marginals) components.add(marginal)
    return { components, marginals, kinds: kindsOf(marginals) }
  }

  estimate(query: LinearQuery): Estimate {
    const { found, isBest, isOpen } = this.#rebuilt(query)
    // Beside a sum of products over two wide attributes doubles may not tell other sums apart: what was told without it still is.
    if (isOpen) {
      if (this.#plainer === undefined) this.#plainer = this.#part(plainest(this.#measured))
      return better(found, this.#plainer?.estimate(query))
    }
    if (isBest) return found
    // Any part of the history is a history: one without the noisiest answers may be better in doubles.
    if (this.#calmer === undefined) this.#calmer = this.#part(calmest(this.#measured))
    return better(found, this.#calmer?.estimate(query))
  }

  /** As `#joint`; where answers came one after the other, all of them at once may have a better basis. */
  #rebuilt(query: LinearQuery): Found {
    const joint = this.#joint(query)
    if (joint.isBest || !this.#isGrown) return joint
    this.#scalars = undefined
    return this.#joint(query)
  }

  /** The estimate from one answer to the question itself. */
  alone(query: LinearQuery, answer: ScalarAnswer, elsewhere: number): Estimate {
    const { tables } = this.#settled()
    const { value: estimate, variance, rounding = 0 } = answer
    const combined = { estimate, rounding, variance, largest: variance, excess: 0, deviations: 0 }
    // Such an answer may be a sum of numbers that others have, too.
    const context = { ...this.#context(tables, toNumber(query.step), elsewhere), moment: {} }
    const found = estimateOf({ ...combined, answers: [{ answer, times: 1 }], rest: () => [] }, context)
    return found ?? { estimable: false, leftOut: elsewhere, imprecise: true }
  }

  #joint(query: LinearQuery): Found {
    const { tables, scalars } = this.#settled()
    const weights = this.#weightsOf(query)
    const combined = scalars.estimate(weights, this.#grouped.near(weights))
    const leftOut = scalars.leftOut + this.#grouped.count + this.#elsewhere
    if (!combined) return { found: { estimable: false, leftOut }, isBest: true, isOpen: true }
    const found = estimateOf(combined, this.#context(tables, weights.step, leftOut))
    if (!found) return { found: { estimable: false, leftOut, imprecise: true }, isBest: false }
    const isBest = combined.excess <= mostExcess * combined.variance && !scalars.hasRedundant
    return { found, isBest: combined.isFinal || isBest, isOpen: combined.isSingle }
  }

  /** The same estimate, where it takes no more than a look at the answers' corners; else undefined. */
  estimateAtOnce(query: LinearQuery): Estimate | undefined {
    if (this.#grouped.count > 0) return undefined
    const { tables, scalars } = this.#settled()
    const weights = this.#weightsOf(query)
    const combined = scalars.estimateAtOnce(weights)
    const leftOut = this.#elsewhere
    if (combined === null) return { estimable: false, leftOut }
    return combined && estimateOf(combined, this.#context(tables, weights.step, leftOut))
  }

  /** Whether a question is estimated from a small part of the answers anyway. */
  tellsApart(query: LinearQuery): boolean {
    return this.#settled().scalars.tellsApart(this.#weightsOf(query))
  }

  #weightsOf(query: LinearQuery): Weights {
    return kept(this.#asked, query, () => compile(query, this.#universe, this.#shapes))
  }

  get #measured() {
    return { marginals: this.#marginals, answers: this.#answers }
  }

  /** The same without other measurements than these; null where there are none. */
  #part(kept: ReadonlySet<string>): WholeHistory | null {
    if (kept.size === 0) return null
    const part = new WholeHistory(this.#universe, this.#options, undefined, this.#shapes)
    part.#publicCount = this.#publicCount
    part.#dropped = this.#dropped
    part.#elsewhere = this.#elsewhere
    for (const [id, answers] of this.#answers)
      if (kept.has(id)) part.#answers.set(id, answers)
      else part.#dropped += answers.length
    for (const [id, marginal] of this.#marginals)
      if (kept.has(id)) part.#marginals.set(id, marginal)
      else part.#dropped += marginal.values.length
    return part
  }

  #context(tables: Tables, step: number, leftOut: number): EstimateContext {
    return { ...tables, step, leftOut, dwarfed: this.#dropped, universe: this.#universe, moment: this.#moment }
  }

  /** `cells` are the query's own, where somebody has them. */
  estimates(query: LinearQuery, cells?: readonly LinearQuery[]): Estimate[] {
    const each = () => (cells ?? cellsOf(query, this.#universe)).map((cell) => this.estimate(cell))
    return this.#marginalEstimates(query) ?? each()
  }

  /** Full marginals alone, where there is nothing else. */
  fromTables(query: LinearQuery): TableEstimates | undefined {
    const [first, ...others] = this.#marginalEstimates(query) ?? []
    if (!first?.estimable || !others.every((one) => one.estimable)) return undefined
    const values = Float64Array.from([first, ...others], ({ estimate }) => estimate)
    return { values, kinds: new Int32Array(values.length), laws: [first] }
  }

  /** Without scalars the cells of a marginal come all at once, and their variances are the same. */
  #marginalEstimates(query: LinearQuery): Estimate[] | undefined {
    const u = this.#universe
    const names = marginalOver(query)
    const { tables, scalars } = this.#settled()
    if (!names || !scalars.isEmpty || this.#grouped.count > 0) return undefined
    const cells = answerSize(query, u)
    // The last cell is a difference of all others: its rounding is the largest.
    const { found: last } = this.#joint(cellQuery(query, u, cells - 1))
    if (!last.estimable) return last.imprecise ? undefined : Array.from({ length: cells }, () => last)
    const places = names.map((name) => u.index.get(name)!).sort((i, j) => i - j)
    const counts = inOrderOf(names, tables.components.marginal(places), u)
    const context = this.#context(tables, 1, last.leftOut)
    const { variance, rounding } = last
    const alike = { rounding: rounding.estimate, variance, largest: variance, excess: 0, deviations: 0, answers: [] }
    return Array.from(counts, (estimate, cell) => {
      const rest = () => [{ weights: compile(cellQuery(query, u, cell), u, this.#shapes), times: 1 }]
      return estimateOf({ ...alike, estimate, rest }, context)!
    })
  }
}

/** Answers by measurement, and how many they are. */
class AnswerLists extends Map<string, readonly ScalarAnswer[]> {
  count = 0

  constructor(from?: AnswerLists) {
    super()
    for (const [id, answers] of from ?? []) this.set(id, answers)
  }

  override set(id: string, answers: readonly ScalarAnswer[]): this {
    this.count += answers.length - (this.get(id)?.length ?? 0)
    return super.set(id, answers)
  }

  override delete(id: string): boolean {
    this.count -= this.get(id)?.length ?? 0
    return super.delete(id)
  }
}

const better = (one: Estimate, other: Estimate | undefined): Estimate =>
  other?.estimable && !(one.estimable && one.variance <= other.variance) ? other : one

const meanOf = ({ terms }: Weights): number =>
  terms.reduce((sum, t) => sum + t.columns.reduce((product, { mean }) => product * mean, t.coefficient), 0)
