import type { AnswerSheet, FittedModel, ModelChanges, NoisyAnswer } from '../../src/model/index.ts'
import { answerSize, groupOf, type LinearQuery, marginal, weightAt } from '../../src/query/index.ts'
import type { Universe } from '../../src/schema/index.ts'
import { cellsOf } from './queries.ts'

/** The group that a cell of the universe counts in, or -1. */
function placeOf(query: LinearQuery, universe: Universe, cell: readonly number[]): number {
  let place = 0
  for (const g of query.by) {
    const group = groupOf(g, cell[universe.index.get(g.attribute)!]!)
    if (group < 0) return -1
    place = place * (g.groups?.length ?? universe.attributes[universe.index.get(g.attribute)!]!.size) + group
  }
  return place
}

/** The answers to a query over weighted cells, by its definition. */
export function enumerated(query: LinearQuery, universe: Universe, weights: ArrayLike<number>): Float64Array {
  const answers = new Float64Array(answerSize(query, universe))
  for (const [i, cell] of [...cellsOf(universe)].entries()) {
    const place = placeOf(query, universe, cell)
    if (place >= 0) answers[place]! += weightAt(query, universe, cell) * weights[i]!
  }
  return answers
}

/**
 * MWEM's model in its most obvious form, Figure 1 of the NIPS version: every new answer multiplies every cell once by
 * exp(q(x)·(m - q(A))/2n), the query divided by its largest weight.
 */
export class CellByCellModel implements FittedModel {
  readonly universe: Universe
  readonly records: number
  readonly weights: Float64Array
  #fitted = 0

  constructor(universe: Universe, records: number) {
    this.universe = universe
    this.records = records
    this.weights = new Float64Array(Number(universe.size)).fill(records / Number(universe.size))
  }
  canHold = () => true
  hold = () => true
  fit(answers: readonly NoisyAnswer[]): ModelChanges {
    for (const answer of answers.slice(this.#fitted)) this.#update(answer)
    this.#fitted = answers.length
    const all = [...this.universe.attributes.keys()]
    return { together: all, alone: all }
  }
  #update({ query, values }: NoisyAnswer): void {
    const { universe, weights, records } = this
    const before = enumerated(query, universe, weights)
    const most = Math.max(...[...cellsOf(universe)].map((cell) => Math.abs(weightAt(query, universe, cell))))
    if (most === 0) return
    const clamp = (value: number) => Math.min(records * most, Math.max(-records * most, value))
    for (const [i, cell] of [...cellsOf(universe)].entries()) {
      const place = placeOf(query, universe, cell)
      if (place < 0) continue
      const error = (clamp(values[place]!) - before[place]!) / most
      weights[i]! *= Math.exp(((weightAt(query, universe, cell) / most) * error) / (2 * records))
    }
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    for (const i of weights.keys()) weights[i]! *= records / total
  }
  fill({ queries, starts, values }: AnswerSheet, places: ArrayLike<number>): void {
    for (const place of Array.from(places)) values.set(this.answers(queries.at(place)!), starts[place]!)
  }
  answers = (query: LinearQuery) => enumerated(query, this.universe, this.weights)
  marginal(attributes: readonly number[]): Float64Array {
    return this.answers(marginal(attributes.map((a) => this.universe.attributes[a]!.name)))
  }
  rows(count: number, random: () => number): Int32Array[] {
    const cells = [...cellsOf(this.universe)]
    const drawn = Array.from({ length: count }, () => {
      let left = random() * this.records
      const at = this.weights.findIndex((weight) => {
        left -= weight
        return left < 0
      })
      return cells[Math.max(0, at)]!
    })
    return this.universe.attributes.map((_, a) => Int32Array.from(drawn, (cell) => cell[a]!))
  }
  toJson = () => ({ kind: 'cells', records: this.records, weights: [...this.weights] })
  result = () => this
}
