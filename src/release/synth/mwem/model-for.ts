import { DenseModel, FactoredModel, isDense } from '../../../model/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { MwemRequest } from './request.ts'

/** With more cells than this a smooth fit in every round takes long, and tells hardly more than a replay. */
const maxSmoothCells = 2n ** 12n

/**
 * The model that a request improves: the one it brings, or one that is held cell by cell where that fits, and in parts where
 * not. Counts of all cells, to start from, are of use to a smooth fit alone; those of a grid to a replay, which leaves its blocks even.
 */
export function modelFor(
  request: MwemRequest,
  universe: Universe,
  start: 'cells' | 'grid' | undefined,
): NonNullable<MwemRequest['model']> {
  const { model, output } = request
  if (model) return model
  const fitting =
    request.fitting ?? (start === 'grid' || (universe.size > maxSmoothCells && !start) ? 'replay' : undefined)
  if (isDense(universe) || output === 'average')
    return (over, records) => new DenseModel(over, records, { ...(fitting && { fitting }), ...(output && { output }) })
  return (over, records) => new FactoredModel(over, records, fitting === 'once' ? { fitting } : {})
}
