import { cholesky } from '../../numeric/index.ts'
import type { CodedTable } from '../marginals/index.ts'

/** What tells a binary class: a weight per value of each feature, and one for all. */
interface LogisticRegression {
  /** By feature and code; the first is the one for all. */
  readonly weights: Float64Array
  readonly starts: readonly number[]
  readonly features: readonly number[]
}

const [mostSteps, ridge] = [25, 1]

/**
 * Logistic regression on one-hot codes with an L2 penalty of 1/2 per squared weight (not on the one for all), by Newton's
 * method: a row has one value of each feature, so the matrix of second derivatives takes (features)² additions per row.
 */
export function trainLogistic(table: CodedTable, target: number, features: readonly number[]): LogisticRegression {
  const starts = [1]
  for (const feature of features) starts.push(starts.at(-1)! + table.universe.attributes[feature]!.size)
  const model = { weights: new Float64Array(starts.at(-1)!), starts, features }
  for (let step = 0; step < mostSteps; step++) if (newton(model, table, target) < 1e-6) break
  return model
}

/** The places of a row's weights: the one for all, and one per feature. */
function placesOf({ starts, features }: LogisticRegression, table: CodedTable): (row: number) => Int32Array {
  const places = new Int32Array(features.length + 1)
  const columns = features.map((feature) => table.columns[feature]!)
  return (row) => {
    for (let f = 0; f < columns.length; f++) places[f + 1] = starts[f]! + columns[f]![row]!
    return places
  }
}

const logit = (weights: Float64Array, places: Int32Array): number => {
  let sum = 0
  for (const place of places) sum += weights[place]!
  return sum
}

/** One step; how far the weight that moved most has moved. */
function newton(model: LogisticRegression, table: CodedTable, target: number): number {
  const { weights } = model
  const gradient = weights.map((weight, i) => (i === 0 ? 0 : -ridge * weight))
  const curvature = Array.from(weights, (_, i) => {
    const row = new Float64Array(i + 1)
    // A little everywhere: a value that no row has would leave the matrix singular.
    row[i] = i === 0 ? 1e-6 : ridge
    return row
  })
  const placesAt = placesOf(model, table)
  for (let row = 0; row < table.rows; row++) {
    const places = placesAt(row)
    const p = 1 / (1 + Math.exp(-logit(weights, places)))
    const [residual, spread] = [table.columns[target]![row]! - p, p * (1 - p)]
    // Ascending, so that i ≥ j is the lower triangle.
    for (const [k, i] of places.entries()) {
      gradient[i]! += residual
      const line = curvature[i]!
      for (let m = 0; m <= k; m++) line[places[m]!]! += spread
    }
  }
  const factor = cholesky(curvature)
  factor.solve(gradient)
  factor.solveTransposed(gradient)
  for (let i = 0; i < weights.length; i++) weights[i]! += gradient[i]!
  return gradient.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}

/** The share of a table's records whose likelier class is their own. */
export function logisticAccuracy(model: LogisticRegression, table: CodedTable, target: number): number {
  const placesAt = placesOf(model, table)
  let right = 0
  for (let row = 0; row < table.rows; row++)
    if ((logit(model.weights, placesAt(row)) > 0 ? 1 : 0) === table.columns[target]![row]) right++
  return right / table.rows
}
