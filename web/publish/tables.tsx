import { useState } from 'preact/hooks'
import type { JobTable } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import { Failure } from '../parts/failure.tsx'
import { plural } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'
import { TableChart } from './table-chart.tsx'

/** So many pictures at first. */
const firstMultiples = 18

const nameOf = ({ attributes }: JobTable): string => attributes.map((a) => a.name).join(' × ')

/** The tables as small pictures, and one of them large. */
export function Tables({ id }: { readonly id: string }) {
  const { dataset } = useSession()
  const tables = useAsync((signal) => dataset.tables(id, { signal }), [dataset, id])
  const [chosen, setChosen] = useState(0)
  const [isWhole, setWhole] = useState(false)
  if (tables.error) return <Failure error={tables.error} again={tables.again} />
  if (!tables.value) return <div class="skeleton block" aria-hidden="true" />
  const { tables: all, more } = tables.value
  const large = all[chosen]
  if (!large) return null
  return (
    <section class="card stack" aria-label="Tables">
      <div class="row spread">
        <h2>{nameOf(large)}</h2>
        <label class="row">
          <span class="hidden-visually">Table</span>
          <select
            class="field"
            value={String(chosen)}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {all.map((table, i) => (
              <option key={nameOf(table)} value={String(i)}>
                {nameOf(table)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <TableChart key={nameOf(large)} table={large} />
      {all.length > 1 && (
        <ul class="multiples">
          {all.slice(0, isWhole ? undefined : firstMultiples).map((table, i) => (
            <li key={nameOf(table)}>
              <button type="button" class="multiple" aria-pressed={i === chosen} onClick={() => setChosen(i)}>
                <TableChart table={table} small />
                <span class="small">{nameOf(table)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {all.length > firstMultiples && !isWhole && (
        <div>
          <button type="button" class="button small" onClick={() => setWhole(true)}>
            Show all {all.length}
          </button>
        </div>
      )}
      {more > 0 && (
        <p class="small soft">{plural(more, 'table is', 'tables are')} too large for a picture; the files have them.</p>
      )}
    </section>
  )
}
