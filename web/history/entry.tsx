import { useEffect, useRef, useState } from 'preact/hooks'
import type { History } from '../../src/client/index.ts'
import { hashOf } from '../app/route.ts'
import { useSession } from '../app/session.ts'
import { isGrouped } from '../ask/columns.ts'
import { Copy } from '../parts/copy.tsx'
import { Price } from '../parts/cost.tsx'
import { countText, exactText, plural, plusMinus } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'
import { Refine } from './refine.tsx'
import { ThenAndNow } from './then-and-now.tsx'
import { whenText } from './when.ts'

export type HistoryEntry = History['releases'][number]

interface EntryProps {
  readonly entry: HistoryEntry
  readonly isOpen: boolean
  /** Whether what is known now is looked up and shown in the row. */
  readonly withAnswer: boolean
  /** Something was bought here. */
  readonly changed: () => void
}

/** One purchase; it opens to what it said then and what is known now. */
export function Entry({ entry, isOpen, withAnswer, changed }: EntryProps) {
  const answer = useAnswer(entry, withAnswer)
  const [isShown, setShown] = useState(isOpen)
  const place = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isOpen) return
    setShown(true)
    place.current?.scrollIntoView({ block: 'center' })
  }, [isOpen])
  const { number, at, analyst, statement, cost, state } = entry
  return (
    <li class="entry" ref={place} id={`purchase-${number}`}>
      <details open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary>
          <span class="mark is-paid" title="bought" aria-hidden="true">
            ●
          </span>
          <span class={`entry-words ${statement === null ? '' : 'mono'}`}>
            {statement ?? releaseName(entry)}
            {answer !== undefined && <span class="entry-answer">{answer}</span>}
          </span>
          <span class="entry-cost">
            {state === 'recorded' ? <Price epsilon={cost.epsilon} /> : <StateBadge state={state} />}
          </span>
          <span class="entry-when small soft">
            <span title={at}>{whenText(at)}</span>
            {analyst !== null && ` · ${analyst}`}
          </span>
        </summary>
        {isShown && <Details entry={entry} changed={changed} />}
      </details>
    </li>
  )
}

/** What is known now about a statement of one number: "18,570 ± 75". */
function useAnswer({ number, statement, state, measurements }: HistoryEntry, wanted: boolean): string | undefined {
  const { dataset } = useSession()
  const isNumber = statement !== null && state === 'recorded' && measurements.every((m) => m.by.length === 0)
  const improved = useAsync(wanted && isNumber ? (signal) => dataset.improve(number, {}, { signal }) : undefined, [
    dataset,
    number,
    wanted,
    isNumber,
  ])
  const [column] = improved.value?.now ?? []
  return column && !isGrouped(column) ? plusMinus(column.estimate, column.within) : undefined
}

const StateBadge = ({ state }: { readonly state: 'open' | 'void' }) =>
  state === 'open' ? (
    <span class="badge noise" title="Paid for but not recorded: it is still running, or was interrupted.">
      under way
    </span>
  ) : (
    <span class="badge" title="Paid for, but never answered.">
      lost
    </span>
  )

/** What a release without a statement is: how many tables over what. */
function releaseName({ measurements, begun, choices }: HistoryEntry): string {
  if (begun) return `A release of ${plural(begun.marginals, 'table')}, ${plural(begun.cells, 'cell')}`
  if (measurements.length === 1) return `A release: ${measurements[0]!.query}`
  const tables = measurements.filter((m) => m.by.length > 0).length
  const what = tables === measurements.length ? plural(tables, 'table') : plural(measurements.length, 'measurement')
  return `A release of ${what}${choices ? ` after ${plural(choices.count, 'choice')}` : ''}`
}

const mostShown = 12

function Details({ entry, changed }: Pick<EntryProps, 'entry' | 'changed'>) {
  const { place } = useSession()
  const { statement, measurements, number, state } = entry
  return (
    <div class="entry-details stack">
      {statement !== null && state === 'recorded' && <ThenAndNow number={number} />}
      {statement !== null && state === 'recorded' && <Refine sql={statement} changed={changed} />}
      <div class="scrolls">
        <table class="plain small">
          <thead>
            <tr>
              <th>Measured</th>
              <th class="numeric wide-only">Numbers</th>
              <th class="numeric wide-only">Noise scale</th>
              <th class="numeric">Price</th>
            </tr>
          </thead>
          <tbody>
            {measurements.slice(0, mostShown).map((m) => (
              <tr key={`${m.query} ${m.scale}`}>
                <td>{m.query}</td>
                <td class="numeric wide-only">{countText(m.cells)}</td>
                <td class="numeric wide-only">{exactText(Number(m.scale.toPrecision(4)))}</td>
                <td class="numeric">
                  <Price epsilon={m.epsilon} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {measurements.length > mostShown && (
        <p class="small soft">and {countText(measurements.length - mostShown)} more</p>
      )}
      <div class="row">
        {statement !== null && (
          <a class="button small" href={hashOf('ask', { ...place, q: statement })}>
            Ask it again
          </a>
        )}
        {statement !== null && <Copy text={statement}>Copy SQL</Copy>}
        <Copy text={() => JSON.stringify(entry, null, 1)}>Copy JSON</Copy>
        <span class="small soft">no. {number} in the ledger</span>
      </div>
    </div>
  )
}
