import type { HistoryModel } from '../history-model.ts'

/**
 * The same estimates, with the errors that another model expects of them. Where that one takes an exact number for t with a mean squared
 * error v, the number m is off by v + (m - t)² of it in the mean, and the errors of two numbers go together likewise.
 */
export function judgedBy(model: HistoryModel, judge: Required<HistoryModel>): HistoryModel {
  const apart = (query: Parameters<HistoryModel['estimates']>[0]) => {
    const [own, theirs] = [model.estimates(query), judge.estimates(query)]
    return own.map(({ estimate }, group) => estimate - theirs[group]!.estimate)
  }
  return {
    kind: model.kind,
    parameters: model.parameters,
    warnings: model.warnings,
    estimates(query) {
      const theirs = judge.estimates(query)
      return model.estimates(query).map(({ estimate }, group) => {
        const { estimate: other, error } = theirs[group]!
        return error === undefined ? { estimate } : { estimate, error: Math.hypot(error, estimate - other) }
      })
    },
    covariances(first, second) {
      const [left, right] = [apart(first), apart(second)]
      return judge.covariances(first, second).map((product, group) => product + left[group]! * right[group]!)
    },
  }
}
