import type { Universe } from '../../../schema/index.ts'
import { DenseModel, isDense } from '../model/dense/dense-model.ts'
import { FactoredModel } from '../model/factored/index.ts'
import { hasWideRanges } from '../workload/wide-ranges.ts'
import type { MwemRequest } from './request.ts'

/** The model that a request improves: the one it brings, or one that is held cell by cell where that fits, and in parts where not. */
export function modelFor(request: MwemRequest, universe: Universe): NonNullable<MwemRequest['model']> {
  const { model, output } = request
  if (model) return model
  // The smooth prior takes codes as they come: it does not know that neighbours are alike, as ranges assume.
  const fitting = request.fitting ?? (hasWideRanges(request.queries, universe) ? 'replay' : undefined)
  if (isDense(universe) || output === 'average')
    return (over, records) => new DenseModel(over, records, { ...(fitting && { fitting }), ...(output && { output }) })
  return (over, records) => new FactoredModel(over, records, fitting === 'once' ? { fitting } : {})
}
