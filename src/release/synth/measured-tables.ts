import { strides } from '../../numeric/index.ts'
import { axisSizes, type LinearQuery, queryKey } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { ownAnswers } from '../marginals/consistency/measured.ts'
import type { SyntheticTable } from './synthetic-table.ts'

/** What was measured of some cells, beside what the model says of them. */
export interface MeasuredBesideModel {
  readonly query: LinearQuery
  /** One number per cell of the answer, in steps: where it was measured several times, the weighted mean. */
  readonly measured: Float64Array
  readonly model: Float64Array
  /** Of the noise in a measured cell. */
  readonly deviation: number
  /** The root of the mean squared difference of the two, in units of that: near 1 or below where the model fits. */
  readonly misfit: number
}

/** Every query that was ever measured with noise, once. */
export function measuredBesideModel({
  measured,
  known,
  model,
}: Pick<SyntheticTable, 'measured' | 'known' | 'model'>): MeasuredBesideModel[] {
  const noisy = [...measured, ...known].filter(({ law }) => law.kind !== 'none')
  return [...Map.groupBy(noisy, ({ query }) => queryKey(query)).values()].map((answers) => {
    const { query } = answers[0]!
    const { values, law } = ownAnswers(answers)
    return beside(query, values, model.answers(query), Math.sqrt(law.variance))
  })
}

/** A table of counts summed up over all but some of its axes: undefined where it lacks one, or does not hold all records. */
export function summedOver(
  table: MeasuredBesideModel,
  names: readonly string[],
  universe: Universe,
): MeasuredBesideModel | undefined {
  const { query, deviation } = table
  const axes = names.map((name) => query.by.findIndex(({ attribute }) => attribute === name))
  if (!isPlainCount(query) || axes.some((axis) => axis < 0)) return undefined
  if (axes.length === query.by.length) return table
  const sizes = axisSizes(query, universe)
  const kept = axes.map((axis) => sizes[axis]!)
  const [from, to] = [strides(sizes), strides(kept)]
  const sums = (values: Float64Array) => {
    const summed = new Float64Array(kept.reduce((n, size) => n * size, 1))
    for (let cell = 0; cell < values.length; cell++) {
      let place = 0
      for (const [i, axis] of axes.entries()) place += (Math.floor(cell / from[axis]!) % sizes[axis]!) * to[i]!
      summed[place]! += values[cell]!
    }
    return summed
  }
  const [measured, model] = [sums(table.measured), sums(table.model)]
  const by = axes.map((axis) => query.by[axis]!)
  return beside({ ...query, by }, measured, model, deviation * Math.sqrt(table.measured.length / measured.length))
}

function beside(query: LinearQuery, measured: Float64Array, model: Float64Array, deviation: number) {
  const square = measured.reduce((sum, value, cell) => sum + (value - model[cell]!) ** 2, 0) / measured.length
  return { query, measured, model, deviation, misfit: Math.sqrt(square) / deviation }
}

/** A count of records by groups, unfiltered. */
const isPlainCount = ({ terms: [term, ...others] }: LinearQuery): boolean =>
  others.length === 0 && term?.coefficient === 1 && Object.keys(term.factors).length === 0
