import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Route } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { Failure } from '../parts/failure.tsx'
import { plural } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'
import { Entry, type HistoryEntry } from './entry.tsx'
import { type Question, questionsOf } from './questions.ts'

/** So many rows, from the top, show what is known now; the others when they are opened. */
const rowsWithAnswers = 15

type Order = 'newest' | 'dearest'

/** History: everything that was ever bought, newest first. */
export function HistoryPage({ parameters }: Pick<Route, 'parameters'>) {
  const { dataset } = useSession()
  const history = useAsync((signal) => dataset.history({ signal }), [dataset])
  const [order, setOrder] = useState<Order>('newest')
  const [search, setSearch] = useState('')
  useEffect(() => {
    document.title = 'History · Reticent'
  }, [])
  const entries = useMemo(() => arranged(history.value?.releases ?? [], order, search), [history.value, order, search])
  const open = Number(parameters.n)
  return (
    <div class="stack">
      <div class="row spread">
        <h1>History</h1>
        <div class="row history-tools">
          <input
            class="field"
            type="search"
            placeholder="Search"
            aria-label="Search the history"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <select
            class="field"
            aria-label="Order"
            value={order}
            onChange={(event) => setOrder(event.currentTarget.value as Order)}
          >
            <option value="newest">newest first</option>
            <option value="dearest">dearest first</option>
          </select>
        </div>
      </div>
      <p class="soft">
        Every noisy number that was released about the present data. Each of them makes later answers better, for free.
      </p>
      {history.error ? <Failure error={history.error} again={history.again} /> : undefined}
      {history.value && entries.length === 0 && (
        <p class="card soft">
          {search === ''
            ? 'Nothing has been bought yet. The first question that costs something will be here.'
            : 'Nothing matches.'}
        </p>
      )}
      {!history.value && !history.error && <p class="card soft">Loading…</p>}
      <ol class="timeline">
        {entries.map((entry, i) => (
          <Entry
            key={entry.number}
            entry={entry}
            isOpen={entry.first <= open && open <= entry.number}
            withAnswer={i < rowsWithAnswers}
            changed={history.again}
          />
        ))}
      </ol>
      {entries.length > 0 && <p class="small soft">{plural(entries.length, 'purchase')}</p>}
    </div>
  )
}

function arranged(releases: readonly HistoryEntry[], order: Order, search: string): readonly Question[] {
  const wanted = search.trim().toLowerCase()
  const holds = ({ statement, analyst, measurements }: HistoryEntry) =>
    [statement ?? '', analyst ?? '', ...measurements.map((m) => m.query)].some((text) =>
      text.toLowerCase().includes(wanted),
    )
  const found = questionsOf(releases).filter(holds)
  return order === 'newest' ? found.reverse() : found.sort((a, b) => b.cost.epsilon - a.cost.epsilon)
}
