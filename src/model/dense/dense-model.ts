import { attributesOf, type LinearQuery } from '../../query/index.ts'
import { problem, type Universe } from '../../schema/index.ts'
import type { AnswerSheet, FittedModel, ModelChanges, NoisyAnswer } from '../fitted-model.ts'
import { type AnswerPlace, replay } from '../replay.ts'
import type { ModelJson, Rows, Sampling, TableModel } from '../table-model.ts'
import { type Cells, totalOf } from './cells.ts'
import { fillSheet } from './fill.ts'
import { newCells } from './parallel-visits.ts'
import { Projection } from './projection.ts'
import { answersFrom, queryTable } from './query-table.ts'
import { roundedRows, sampledRows } from './rows.ts'
import { SmoothFit, tellSmoothTables } from './smooth-fit.ts'
import { unmeasuredEffects } from './unmeasured-effects.ts'
import { type DenseTable, updateOnce } from './update-once.ts'

/** More cells than this are refused. */
const maxCells = 50_000_000
/** Tables of more cells hold single-precision numbers, whose error of 10^-7 is far below the noise. */
const maxDoubles = 2 ** 24
/** A smooth fit visits every cell some hundred times. */
const maxSmoothCells = 2 ** 17
/** Cells that a fit may visit, about: it bounds the time of a round, and of what is made good in the end. */
const roundVisits = 4e8
const lastVisits = 2e9
/** What a single query looks at is spread out over its cells. */
const maxQueryCells = 2 ** 24

interface DenseOptions {
  /**
   * `once`: every new answer changes the model once, as MWEM does it. `replay`: all answers, again and again until the
   * model agrees with them within their noise. `smooth`: the likeliest table if effects of many attributes are small. Unless said,
   * `smooth` where that works well (smooth-fit.ts), and `replay` elsewhere.
   */
  readonly fitting?: 'once' | 'replay' | 'smooth'
  /** What is handed out: the last state, or the average of the states before each change. */
  readonly output?: 'last' | 'average'
}

/** A distribution that is held cell by cell. */
export class DenseModel implements FittedModel {
  readonly universe: Universe
  readonly records: number
  readonly #options: DenseOptions
  /** In proportion to the distribution; `#scale` makes records of them. */
  readonly #cells: Cells
  #scale: number
  #smooth: SmoothFit | undefined
  readonly #sum: Float64Array | undefined
  #states = 0
  #answers: readonly NoisyAnswer[] = []

  /** Uniform unless cells are given. */
  constructor(universe: Universe, records: number, options: DenseOptions = {}, cells?: Cells) {
    refuseTooLarge(universe)
    const size = Number(universe.size)
    this.universe = universe
    this.records = records
    this.#options = options
    this.#cells = cells ?? newCells(size, size > maxDoubles).fill(1)
    this.#scale = records / totalOf(this.#cells)
    if (options.output === 'average') this.#sum = new Float64Array(size)
  }

  canHold(attributes: readonly number[]): boolean {
    return holdsQuery(this.universe, attributes)
  }

  hold({ query }: NoisyAnswer): boolean {
    return this.canHold(attributesOf(query, this.universe).map((name) => this.universe.index.get(name)!))
  }

  fit(answers: readonly NoisyAnswer[]): ModelChanges {
    this.#remember()
    this.#change(answers, roundVisits)
    const all = [...this.universe.attributes.keys()]
    return { together: all, alone: all }
  }

  #change(answers: readonly NoisyAnswer[], maxVisits: number): void {
    const { universe, records } = this
    const table = { cells: this.#cells, scale: this.#scale, universe, records }
    const first = this.#answers.length
    const fitting = this.#options.fitting ?? (this.#isSmooth(answers) ? 'smooth' : 'replay')
    if (fitting === 'smooth') {
      this.#smooth ??= new SmoothFit(universe, records)
      this.#smooth.fit([...answers, ...unmeasuredEffects(answers, universe)], this.#cells, maxVisits)
      table.scale = records
    } else if (fitting === 'once') for (const one of answers.slice(first)) updateOnce(table, one)
    else replay(answers, { universe, records, maxVisits, placeOf: (axes) => placeIn(table, axes) })
    this.#scale = table.scale
    this.#answers = [...answers]
  }

  #isSmooth(answers: readonly NoisyAnswer[]): boolean {
    return this.#cells.length <= maxSmoothCells && tellSmoothTables(answers, this.universe)
  }

  #remember(): void {
    if (!this.#sum) return
    this.#states++
    for (let i = 0; i < this.#sum.length; i++) this.#sum[i]! += this.#cells[i]! * this.#scale
  }

  fill(sheet: AnswerSheet, places: ArrayLike<number>): void {
    fillSheet(sheet, places, { universe: this.universe, cells: this.#cells, scale: this.#scale })
  }

  result(): TableModel {
    if (!this.#sum || this.#states === 0) {
      if (this.#answers.length > 0) this.#change(this.#answers, lastVisits)
      return this
    }
    return new DenseModel(this.universe, this.records, this.#options, this.#sum.slice())
  }

  marginal(attributes: readonly number[]): Float64Array {
    const sizes = this.universe.attributes.map(({ size }) => size)
    return new Projection(sizes, attributes).sum(this.#cells, this.#scale)
  }

  answers(query: LinearQuery): Float64Array {
    const table = queryTable(query, this.universe)
    return answersFrom(table, this.marginal(table.axes))
  }

  rows(count: number, random: () => number, sampling: Sampling = 'rounded'): Rows {
    const draw = sampling === 'independent' ? sampledRows : roundedRows
    return draw(this.universe, this.#cells, count, random)
  }

  toJson(): ModelJson {
    return { kind: 'dense', records: this.records, cells: Array.from(this.#cells, (share) => share * this.#scale) }
  }
}

/** What a query that looks at these axes sees of a table, and changes. */
function placeIn(table: DenseTable, axes: readonly number[]): AnswerPlace {
  const { cells, records, universe } = table
  const projection = new Projection(
    universe.attributes.map(({ size }) => size),
    axes,
  )
  return {
    cells: 2 * cells.length,
    marginal: () => projection.sum(cells, table.scale),
    multiply(factors) {
      table.scale = records / projection.multiply(cells, factors)
    },
  }
}

/** Whether all cells can be held. */
export const isDense = ({ size }: Universe): boolean => size <= maxCells

export function refuseTooLarge(universe: Universe): void {
  if (isDense(universe)) return
  const { size } = universe
  throw problem(
    'not-supported',
    `the table has ${size > 10n ** 15n ? Number(size).toExponential(1) : size} cells; at most ${maxCells} can be held one by one`,
    'Use a factored model, fewer attributes or coarser ones.',
    { cells: Number(size), most: maxCells },
  )
}

/** Whether a query that looks at these attributes can be spread out over their cells. */
export const holdsQuery = (universe: Universe, attributes: readonly number[]): boolean =>
  attributes.reduce((cells, a) => cells * universe.attributes[a]!.size, 1) <= maxQueryCells
