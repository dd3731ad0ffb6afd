import { DenseModel, FactoredModel, isDense } from '../../../model/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { MwemRequest } from './request.ts'

/** With more cells than this a smooth fit in every round takes long, and tells hardly more than a replay. */
const maxSmoothCells = 2n ** 12n

/**
 * The model that a request improves: the one it brings, or one that is held cell by cell where that fits, and in parts where
 * not. Counts of all cells, to start from, are of use to a smooth fit alone.
 */
export function modelFor(
  request: MwemRequest,
  universe: Universe,
  { hasCounts }: { readonly hasCounts: boolean },
): NonNullable<MwemRequest['model']> {
  const { model, output } = request
  if (model) return model
  const fitting = request.fitting ?? (universe.size > maxSmoothCells && !hasCounts ? 'replay' : undefined)
  if (isDense(universe) || output === 'average')
    return (over, records) => new DenseModel(over, records, { ...(fitting && { fitting }), ...(output && { output }) })
  return (over, records) => new FactoredModel(over, records, fitting === 'once' ? { fitting } : {})
}
