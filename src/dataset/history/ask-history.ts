import type { HistoryModel } from '../../inference/index.ts'
import { toNumber } from '../../numeric/index.ts'
import { type Expression, evaluate, type Statement } from '../../query/index.ts'
import { type ModelAnswer, modelColumns } from './model-answer.ts'

/** What a model of the history says to a statement. */
export function askHistoryModel(statement: Statement, model: HistoryModel): ModelAnswer {
  const { kind, parameters, warnings } = model
  const told = statement.parts.map((part) => model.estimates(part))
  const values = told.map((groups) => groups.map(({ estimate }) => estimate))
  const error = errorBy(statement, model, told)
  return {
    ...modelColumns(statement, { values, error }),
    model: kind,
    parameters,
    ...(warnings.length > 0 && { warnings }),
  }
}

/**
 * To first order: the expression is taken for the linear one that touches it at the estimates. Undefined where the model does not
 * say how the errors of two parts go together.
 */
function errorBy({ parts }: Statement, model: HistoryModel, told: readonly ReturnType<HistoryModel['estimates']>[]) {
  const pairs = new Map<string, Float64Array | undefined>()
  const products = (i: number, j: number, group: number): number | undefined => {
    if (i === j) return told[i]![group]!.error && told[i]![group]!.error! ** 2
    const key = `${Math.min(i, j)},${Math.max(i, j)}`
    if (!pairs.has(key)) pairs.set(key, model.covariances?.(parts[i]!, parts[j]!))
    return pairs.get(key)?.[group]
  }
  return (expression: Expression, group: number): number | undefined => {
    const values = told.map((groups) => groups[group]!.estimate)
    const slopes = slopesOf(unclipped(expression), values)
    let square = 0
    for (const [i, slope] of slopes.entries())
      for (const [j, other] of slopes.entries()) {
        if (slope === 0 || other === 0) continue
        const product = products(i, j, group)
        if (product === undefined) return undefined
        square += slope * other * product
      }
    return Number.isFinite(square) ? Math.min(Math.sqrt(Math.max(0, square)), farthest(expression, values)) : undefined
  }
}

/** No error is larger: estimate and exact number both lie within the bounds of an average or a share. */
function farthest(expression: Expression, values: readonly number[]): number {
  if (expression.kind !== 'clip') return Infinity
  const [low, high] = [expression.low, expression.high].map((bound, i) =>
    bound === null ? [-Infinity, Infinity][i]! : toNumber(bound),
  )
  const at = evaluate(expression, values)
  return Math.max(at - low!, high! - at)
}

/** What lies outside of its bounds is still off by as much. */
function unclipped(e: Expression): Expression {
  if (e.kind === 'clip') return unclipped(e.of)
  if ('left' in e) return { ...e, left: unclipped(e.left), right: unclipped(e.right) }
  return 'of' in e ? { ...e, of: unclipped(e.of) } : e
}

/** By small steps to both sides; what is computed from the parts is smooth nearly everywhere. */
function slopesOf(expression: Expression, values: readonly number[]): number[] {
  return values.map((value, i) => {
    const step = 1e-5 * Math.max(1, Math.abs(value))
    const at = (moved: number) => evaluate(expression, values.with(i, moved))
    return (at(value + step) - at(value - step)) / (2 * step)
  })
}
