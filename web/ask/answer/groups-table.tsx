import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { answerTexts, countText, exactText } from '../../parts/number.ts'
import type { Group, GroupedColumn } from '../columns.ts'
import { keyText } from '../columns.ts'
import { extentOf, type GroupRow, isMostlyNoise, type Order, sorted } from './groups.ts'
import { NoiseKey } from './noise-key.tsx'

interface GroupsTableProps {
  readonly names: readonly string[]
  readonly columns: readonly GroupedColumn[]
  readonly rows: readonly GroupRow[]
}

const firstRows = 60

/** Groups as rows, each with a bar and its whisker; sorted by any column. */
export function GroupsTable({ names, columns, rows }: GroupsTableProps) {
  const [order, setOrder] = useState<Order>()
  const [isWhole, setWhole] = useState(false)
  const extents = columns.map((column) => extentOf(column.groups))
  const shown = sorted(rows, order).slice(0, isWhole ? undefined : firstRows)
  const sort = (by: number) =>
    setOrder((now) =>
      now?.by !== by
        ? { by, down: by >= names.length }
        : now.down === by >= names.length
          ? { by, down: !now.down }
          : undefined,
    )
  const titles = [...names, ...columns.map((c) => c.name)]
  return (
    <div class="stack close">
      <div class="scrolls">
        <table class="plain groups">
          <thead>
            <tr>
              {titles.map((title, i) => (
                <Fragment key={title}>
                  <th
                    class={i < names.length ? '' : 'numeric'}
                    aria-sort={order?.by === i ? (order.down ? 'descending' : 'ascending') : 'none'}
                  >
                    <button type="button" class="sort" onClick={() => sort(i)}>
                      {title}
                      <span aria-hidden="true">{order?.by === i ? (order.down ? ' ↓' : ' ↑') : ''}</span>
                    </button>
                  </th>
                  {i >= names.length && <td class="groups-bar" />}
                </Fragment>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ keys, cells }) => (
              <tr key={keys.map(keyText).join('\n')}>
                {keys.map((key, i) => (
                  <th key={names[i]} scope="row" class={key === null ? 'soft' : ''}>
                    <span class="group-key">{keyText(key)}</span>
                  </th>
                ))}
                {cells.map((cell, i) => (
                  <Cells key={columns[i]!.name} cell={cell} extent={extents[i]!} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <button type="button" class="button small" onClick={() => setWhole(true)}>
          Show all {countText(rows.length)}
        </button>
      )}
      <NoiseKey mark="Brown" isShown={shown.some(({ cells }) => cells.some(isMarked))} />
      {rows.length === 0 && <p class="soft">No group is shown.</p>}
    </div>
  )
}

/** Numbers that are shown, and that noise alone could have made. */
const isMarked = (cell: Group): boolean => cell.estimate !== null && isMostlyNoise(cell)

type Extent = { readonly low: number; readonly high: number }

function Cells({ cell, extent }: { readonly cell: Group; readonly extent: Extent }) {
  const { estimate, within, interval } = cell
  const [low, high] = interval
  if (estimate === null && within === null)
    return (
      <td class="numeric small soft" colSpan={2}>
        too few records to tell
      </td>
    )
  const noise = isMostlyNoise(cell)
  const { value, around } = answerTexts(estimate, within, interval)
  const exact =
    estimate === null
      ? undefined
      : `${exactText(estimate)} (${low === null ? '−∞' : exactText(low)} … ${high === null ? '∞' : exactText(high)})`
  return (
    <>
      <td class="numeric" title={exact}>
        <span class={noise ? 'is-noise' : ''}>{value}</span> <span class="small soft">{around}</span>
      </td>
      <td class="groups-bar">
        <Bar cell={cell} extent={extent} noise={noise} />
      </td>
    </>
  )
}

/** A bar from 0 to the estimate and a whisker over the interval, both as shares of the column's scale. */
function Bar({
  cell: { estimate, interval },
  extent,
  noise,
}: {
  readonly cell: Group
  readonly extent: Extent
  readonly noise: boolean
}) {
  if (estimate === null) return null
  const span = extent.high - extent.low || 1
  const at = (value: number) => (100 * (Math.min(Math.max(value, extent.low), extent.high) - extent.low)) / span
  const [zero, end] = [at(0), at(estimate)]
  const [low, high] = [at(interval[0] ?? extent.low), at(interval[1] ?? extent.high)]
  return (
    <svg class={`bar ${noise ? 'noise' : ''}`} width="100%" height="20" aria-hidden="true">
      <rect x={`${Math.min(zero, end)}%`} width={`${Math.abs(end - zero)}%`} y="4" height="12" />
      <line x1={`${low}%`} x2={`${high}%`} y1="10" y2="10" />
      <line x1={`${low}%`} x2={`${low}%`} y1="6" y2="14" />
      <line x1={`${high}%`} x2={`${high}%`} y1="6" y2="14" />
    </svg>
  )
}
