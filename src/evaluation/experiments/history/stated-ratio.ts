import type { HistoryModel } from '../../../inference/index.ts'
import type { NewQuestion } from './random-history.ts'
import { mostOf } from './random-questions.ts'

/**
 * How far a model is off beside the error that it states; undefined where it states none. As `ask --model` has it: an average's error is taken to first
 * order, and average and error stay within the values' bounds.
 */
export function statedRatio({ parts, exact }: NewQuestion, model: HistoryModel): number | undefined {
  const told = parts.map((query) => model.estimates(query)[0]!)
  if (told.some(({ error }) => error === undefined)) return undefined
  const [first, second] = told
  if (!second) return finite(Math.abs(first!.estimate - exact) / first!.error!)
  const ratio = first!.estimate / second.estimate
  const together = model.covariances!(parts[0], parts[1]!)[0]!
  const square = first!.error! ** 2 - 2 * ratio * together + (ratio * second.error!) ** 2
  const most = mostOf(parts[0])
  const average = Math.max(0, Math.min(most, ratio))
  const error = Math.sqrt(Math.max(0, square)) / Math.abs(second.estimate)
  return finite(Math.abs(average - exact) / Math.min(error, Math.max(average, most - average)))
}

/** Where a number is public both are 0. */
const finite = (ratio: number): number | undefined => (Number.isFinite(ratio) ? ratio : undefined)
