import { useMemo, useState } from 'preact/hooks'
import type { Answer, GroupedColumn } from '../columns.ts'
import { keyNames, rowsOf } from './groups.ts'
import { GroupsChart, isDrawable } from './groups-chart.tsx'
import { GroupsTable } from './groups-table.tsx'

/** A GROUP BY as a table or as a chart. */
export function GroupsAnswer({
  answer,
  columns,
}: {
  readonly answer: Answer
  readonly columns: readonly GroupedColumn[]
}) {
  const names = keyNames(columns, answer.keys)
  const rows = useMemo(() => rowsOf(names, columns), [names, columns])
  const canDraw = isDrawable(names, rows)
  const [wanted, setWanted] = useState<'table' | 'chart'>()
  const view = canDraw ? (wanted ?? (names.length === 2 ? 'chart' : 'table')) : 'table'
  return (
    <div class="stack">
      {canDraw && (
        <fieldset class="segments" aria-label="Show as">
          {(['table', 'chart'] as const).map((each) => (
            <button key={each} type="button" aria-pressed={view === each} onClick={() => setWanted(each)}>
              {each === 'table' ? 'Table' : names.length === 2 ? 'Heat map' : 'Chart'}
            </button>
          ))}
        </fieldset>
      )}
      {view === 'table' ? (
        <GroupsTable names={names} columns={columns} rows={rows} />
      ) : (
        columns.map((column, at) => (
          <div key={column.name}>
            {columns.length > 1 && <h3>{column.name}</h3>}
            <GroupsChart names={names} column={column} rows={rows} at={at} />
          </div>
        ))
      )}
    </div>
  )
}
