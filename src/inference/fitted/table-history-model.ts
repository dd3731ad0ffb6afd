import type { TableModel } from '../../model/index.ts'
import { toNumber } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import type { HistoryModel, HistoryModelKind, ModelEstimate } from '../history-model.ts'

/** A model of a whole table that was fitted to the history: it answers, and rows can be drawn from it. */
export interface FittedTable extends Pick<HistoryModel, 'parameters' | 'warnings'> {
  readonly kind: HistoryModelKind
  readonly table: TableModel
  readonly records: { readonly count: number; readonly from: 'public' | 'history' }
}

/** What fitting one may need beside the answers. */
export interface FittingOptions {
  /** Uniform on [0, 1). */
  readonly random: () => number
  /** About so many rows will be drawn: as many as there are records unless said. */
  readonly rows?: number
  /** Called between steps: a place to stop, and to say how far the work is. */
  readonly pause?: (share: number, doing: string) => Promise<void>
}

/** Tells no errors: they would be those of its assumptions (`judgedBy`). */
export const tableHistoryModel = ({ kind, table, parameters, warnings }: FittedTable): HistoryModel => ({
  kind,
  parameters,
  warnings,
  estimates: (query: LinearQuery): ModelEstimate[] =>
    Array.from(table.answers(query), (steps) => ({ estimate: steps * toNumber(query.step) })),
})
