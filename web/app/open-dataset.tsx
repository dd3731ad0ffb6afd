import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Client, Me } from '../../src/client/index.ts'
import { AskPage } from '../ask/ask-page.tsx'
import { BudgetPage } from '../budget/budget-page.tsx'
import { DataPage } from '../data/data-page.tsx'
import { HistoryPage } from '../history/history-page.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAsync } from '../parts/use-async.ts'
import { PublishPage } from '../publish/publish-page.tsx'
import { Frame } from './frame.tsx'
import { Ribbon } from './ribbon.tsx'
import type { PageName, Route } from './route.ts'
import { type Ghost, type Session, SessionContext } from './session.ts'

interface OpenDatasetProps extends Route {
  readonly client: Client
  readonly me: Me
  readonly name: string
  readonly leave: (() => void) | undefined
}

/** One data set: its description and budget, and the page that the address names. */
export function OpenDataset({ client, me, name, page, parameters, leave }: OpenDatasetProps) {
  const dataset = useMemo(() => client.dataset(name), [client, name])
  const description = useAsync((signal) => dataset.describe({ signal }), [dataset])
  const budget = useAsync((signal) => dataset.budget({ signal }), [dataset])
  const [ghost, setGhost] = useState<Ghost>()
  const analysts = description.value?.role === 'analyst' ? [] : (description.value?.analysts ?? [])
  const [behalf, setBehalf] = useState<string>()
  const as = behalf ?? analysts[0]?.name
  const place = useMemo(() => (me.datasets.length > 1 ? { dataset: name } : {}), [me, name])
  const session = useMemo(
    (): Session | undefined =>
      description.value && {
        client,
        dataset,
        description: description.value,
        budget: budget.value,
        refreshBudget: budget.again,
        setGhost,
        as,
        place,
      },
    [client, dataset, description.value, budget.value, budget.again, as, place],
  )
  const Page = pageOf[page]
  const error = description.error ?? budget.error
  return (
    <Frame
      page={page}
      me={me}
      dataset={name}
      who={
        analysts.length > 0 ? (
          <BehalfMenu names={analysts.map((a) => a.name)} as={as} change={setBehalf} />
        ) : (
          whoOf(me, name)
        )
      }
      place={place}
      leave={leave}
      ribbon={<Ribbon budget={budget.value} ghost={page === 'ask' ? ghost : undefined} />}
    >
      {error ? <Failure error={error} again={description.error ? description.again : budget.again} /> : undefined}
      {session && (
        <SessionContext.Provider value={session}>
          <Page parameters={parameters} />
        </SessionContext.Provider>
      )}
    </Frame>
  )
}

interface BehalfMenuProps {
  readonly names: readonly string[]
  readonly as: string | undefined
  readonly change: (name: string) => void
}

/** For owners: on whose behalf they ask, and from whose quota it is paid. */
const BehalfMenu = ({ names, as, change }: BehalfMenuProps) => (
  <label>
    <span class="soft">as </span>
    <select class="field" value={as} onChange={(event) => change(event.currentTarget.value)}>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

const pageOf: Record<PageName, (props: Pick<Route, 'parameters'>) => JSX.Element> = {
  ask: AskPage,
  history: HistoryPage,
  publish: PublishPage,
  budget: BudgetPage,
  data: DataPage,
}

function whoOf(me: Me, name: string): string {
  const here = me.datasets.find((dataset) => dataset.name === name)
  return (
    here?.analyst ?? me.analyst ?? { owner: 'owner', analyst: 'analyst', open: 'this machine' }[here?.role ?? me.role]
  )
}
