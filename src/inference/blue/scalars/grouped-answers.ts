import { axisSizes, groupOf, type LinearQuery, type Measurement } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { Law } from '../../error-law/law.ts'
import { cellQuery } from '../cell-query.ts'
import { type Column, tableOf } from '../column.ts'
import { compile, type Shapes, type Weights, type WeightTerm } from '../compile.ts'
import { numbers, type ScalarAnswer, weightOf } from '../noisy-answers.ts'

/** One measurement of a grouped query. */
interface Grouped {
  readonly id: string
  readonly query: LinearQuery
  readonly values: Float64Array
  readonly law: Law
}

/**
 * Answers to grouped queries with more groups than can be combined with others. Each answers only the question of its own
 * group, so it becomes an answer of its own only when that is asked: 2^20 of them take the room of their numbers.
 */
export class GroupedAnswers {
  readonly #universe: Universe
  readonly #shapes: Shapes
  readonly #all: Map<string, Grouped>

  constructor(universe: Universe, shapes: Shapes, all: ReadonlyMap<string, Grouped> = new Map()) {
    this.#universe = universe
    this.#shapes = shapes
    this.#all = new Map(all)
  }

  fork(): GroupedAnswers {
    return new GroupedAnswers(this.#universe, this.#shapes, this.#all)
  }

  add({ id, query, values }: Measurement, law: Law): void {
    this.#all.set(id, { id, query, values: numbers(values), law })
  }

  remove(id: string): void {
    this.#all.delete(id)
  }

  /** Number of answers. */
  get count(): number {
    return this.#all.values().reduce((sum, { values }) => sum + values.length, 0)
  }

  /** The answers to groups in which a term of the question lies: no others can be to the question, or a multiple of it. */
  near(question: Weights): ScalarAnswer[] {
    return [...this.#all.values()].flatMap((grouped) =>
      [...new Set(question.terms.map((term) => this.#groupOf(term, grouped.query)))]
        .filter((cell) => cell >= 0)
        .map((cell) => this.#answer(grouped, cell)),
    )
  }

  /** The group of one of the cells where a term is not 0; -1 where that is left out. */
  #groupOf({ attributes, columns }: WeightTerm, query: LinearQuery): number {
    const sizes = axisSizes(query, this.#universe)
    return query.by.reduce((cell, axis, i) => {
      const column = columns[attributes.indexOf(this.#universe.index.get(axis.attribute)!)]
      const group = groupOf(axis, column ? firstCode(column) : 0)
      return cell < 0 || group < 0 ? -1 : cell * sizes[i]! + group
    }, 0)
  }

  #answer({ id, query, values, law }: Grouped, cell: number): ScalarAnswer {
    const weights = compile(cellQuery(query, this.#universe, cell), this.#universe, this.#shapes)
    return { id, cell, weights, value: values[cell]!, law, variance: weightOf(law) }
  }
}

const firstCode = (column: Column): number =>
  column.interval || column.codes ? column.from : tableOf(column).findIndex((value) => value !== 0)
