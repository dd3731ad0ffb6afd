import type { Universe } from '../../../schema/index.ts'
import { DenseModel, isDense } from '../model/dense/dense-model.ts'
import { FactoredModel } from '../model/factored/index.ts'
import type { MwemRequest } from './request.ts'

/** The model that a request improves: the one it brings, or one that is held cell by cell where that fits, and in parts where not. */
export function modelFor(request: MwemRequest, universe: Universe): NonNullable<MwemRequest['model']> {
  const { model, fitting, output } = request
  if (model) return model
  if (isDense(universe) || output === 'average')
    return (over, records) => new DenseModel(over, records, { ...(fitting && { fitting }), ...(output && { output }) })
  return (over, records) => new FactoredModel(over, records, fitting === 'once' ? { fitting } : {})
}
