import { attributesOf, type LinearQuery, marginal } from '../../query/index.ts'
import { problem, type Universe } from '../../schema/index.ts'
import { queryTable } from '../dense/query-table.ts'
import type { AnswerSheet, FittedModel, ModelChanges, NoisyAnswer } from '../fitted-model.ts'
import { drawRows, type Table } from '../junction-tree/index.ts'
import type { ModelJson, Rows, Sampling, TableModel } from '../table-model.ts'
import { productAnswers } from './answers.ts'
import { fillSheet } from './fill.ts'
import { fitAgain, fitOnce } from './fit.ts'
import { hasRoom, joinedCliques, joinParts, type Limits } from './join.ts'
import { Part } from './part.ts'

export interface FactoredOptions extends Partial<Limits> {
  /**
   * `once`: every new answer changes the model once, as MWEM does it. `replay`, the default: all answers of a part, again and again
   * until it agrees with them within their noise.
   */
  readonly fitting?: 'once' | 'replay'
}

/** Of the noise's deviation: counts that moved by less change no choice. */
const smallPart = 0.02

const usualLimits: Limits = { cells: 2 ** 22, tableCells: 2 ** 6 }

/**
 * A product of independent parts. Parts are joined where an answer depends on attributes of several. A part is one table as
 * long as it is small, and a junction tree beyond that. Nothing ever visits all cells of the universe.
 */
export class FactoredModel implements FittedModel {
  readonly universe: Universe
  readonly records: number
  readonly #limits: Limits
  readonly #fitting: 'once' | 'replay'
  readonly #sizes: readonly number[]
  /** Of each attribute. */
  readonly #parts: Part[]
  #fitted = 0
  /** By attribute, its shares when a fit last said that it had changed. */
  readonly #said: (Float64Array | undefined)[] = []
  /** Answers that there is room for, which the next fit is about. */
  readonly #waiting = new Set<NoisyAnswer>()

  /** Uniform, but for these factors, which are given by their logarithms. */
  constructor(universe: Universe, records: number, options: FactoredOptions = {}, logs: readonly Table[] = []) {
    this.universe = universe
    this.records = records
    this.#limits = { ...usualLimits, ...options }
    this.#fitting = options.fitting ?? 'replay'
    this.#sizes = universe.attributes.map(({ size }) => size)
    this.#parts = this.#sizes.map((_, a) => new Part([[a]], this.#sizes))
    for (const table of logs) this.#partFor(table.attributes).addLogs(table)
  }

  canHold(attributes: readonly number[]): boolean {
    return (
      hasRoom(attributes, this.#parts, this.#sizes, this.#limits) ||
      joinedCliques(this.#partsOf(attributes), attributes, this.#sizes, this.#limits) !== undefined
    )
  }

  /** The factor's place is kept even if the answer says nothing new: cliques are made for all of them. */
  hold(answer: NoisyAnswer): boolean {
    const attributes = this.#attributesOf(answer)
    if (attributes.length === 0 || !this.canHold(attributes)) return false
    const { axes } = queryTable(answer.query, this.universe)
    const part = this.#partFor(axes)
    part.logsOver(axes)
    part.answers.push(answer)
    this.#waiting.add(answer)
    return true
  }

  /** Answers that there is no room for are left out. */
  fit(answers: readonly NoisyAnswer[]): ModelChanges {
    for (const answer of answers.slice(this.#fitted)) if (!this.#waiting.has(answer)) this.hold(answer)
    this.#fitted = answers.length
    const fresh = new Set(this.#waiting)
    this.#waiting.clear()
    const changed = this.#partsOf([...fresh].flatMap((answer) => this.#attributesOf(answer)))
    for (const part of changed) {
      if (this.#fitting === 'replay') fitAgain(part, this)
      else for (const answer of part.answers) if (fresh.has(answer)) fitOnce(part, answer, this)
      part.tree.settle()
    }
    const least = Math.min(...[...fresh].map(({ variance }) => variance))
    return {
      together: changed.flatMap(({ attributes }) => attributes),
      alone: changed.flatMap((part) => this.#moved(part, smallPart * Math.sqrt(least))),
    }
  }

  /** The attributes of a part whose own counts have moved by more than this since they were last said to. */
  #moved(part: Part, tolerance: number): readonly number[] {
    // Nothing is beside it whose answers depend on one of them alone.
    if (part.attributes.length === this.#sizes.length) return part.attributes
    return part.attributes.filter((a) => {
      const [now, before] = [part.sharesOf(a), this.#said[a]]
      if (before && now.every((share, code) => Math.abs(share - before[code]!) * this.records <= tolerance))
        return false
      this.#said[a] = now
      return true
    })
  }

  fill(sheet: AnswerSheet, places: ArrayLike<number>): void {
    fillSheet(sheet, places, this.#parts, this)
  }

  result(): TableModel {
    return this
  }

  marginal(attributes: readonly number[]): Float64Array {
    return this.answers(marginal(attributes.map((a) => this.universe.attributes[a]!.name)))
  }

  answers(query: LinearQuery): Float64Array {
    return productAnswers(query, this.universe, this.#parts).map((share) => share * this.records)
  }

  rows(count: number, random: () => number, sampling: Sampling = 'rounded'): Rows {
    const columns = this.#sizes.map(() => new Int32Array(count))
    for (const part of new Set(this.#parts)) drawRows(part.tree, columns, random, sampling)
    return columns
  }

  toJson(): ModelJson {
    const tables = [...new Set(this.#parts)].flatMap(({ logs }) => logs)
    const factors = tables.map(({ attributes, values }) => ({ attributes, logs: [...values] }))
    return { kind: 'factored', records: this.records, factors }
  }

  #attributesOf({ query }: NoisyAnswer): number[] {
    return attributesOf(query, this.universe).map((name) => this.universe.index.get(name)!)
  }

  #partsOf(attributes: readonly number[]): Part[] {
    return [...new Set(attributes.map((a) => this.#parts[a]!))]
  }

  /** The part that has room for a factor over these attributes, once those that they are in are joined. */
  #partFor(attributes: readonly number[]): Part {
    const parts = this.#partsOf(attributes)
    if (parts.length === 1 && parts[0]!.holds(attributes)) return parts[0]!
    const part = joinParts(parts, attributes, this.#sizes, this.#limits)
    if (!part) throw tooLarge(this.#limits.cells)
    for (const a of part.attributes) this.#parts[a] = part
    return part
  }
}

const tooLarge = (most: number) =>
  problem(
    'not-supported',
    `the model would need tables of more than ${most} cells`,
    'Measure fewer attributes together.',
    { most },
  )
