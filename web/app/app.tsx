import { useCallback, useMemo, useState } from 'preact/hooks'
import { type Client, connect, type Me, ServerRefusal } from '../../src/client/index.ts'
import { Failure } from '../parts/failure.tsx'
import { useAsync } from '../parts/use-async.ts'
import { Login } from './login.tsx'
import { OpenDataset } from './open-dataset.tsx'
import { useRoute } from './route.ts'
import { forgetToken, storedToken, storeToken } from './token.ts'

/** Signs in where the server wants a token, then opens a data set. */
export function App() {
  const [token, setToken] = useState(storedToken)
  const client = useMemo(() => connect(token === undefined ? {} : { token }), [token])
  const me = useAsync((signal) => client.me({ signal }), [client])
  const enter = useCallback((given: string) => {
    storeToken(given)
    setToken(given)
  }, [])
  const leave = useCallback(() => {
    forgetToken()
    setToken(undefined)
  }, [])
  if (me.error instanceof ServerRefusal && (me.error.status === 401 || me.error.status === 403))
    return <Login refused={token !== undefined} enter={enter} />
  if (me.error) return <Alone error={me.error} again={me.again} />
  if (!me.value) return null
  return <SignedIn client={client} me={me.value} leave={token === undefined ? undefined : leave} />
}

function SignedIn({
  client,
  me,
  leave,
}: {
  readonly client: Client
  readonly me: Me
  readonly leave: (() => void) | undefined
}) {
  const { page, parameters } = useRoute()
  const known = me.datasets.find(({ name }) => name === parameters.dataset) ?? me.datasets[0]
  if (!known)
    return (
      <main class="frame-main">
        <p class="notice">This server has no data set that you may use.</p>
      </main>
    )
  return (
    <OpenDataset
      key={known.name}
      client={client}
      me={me}
      name={known.name}
      page={page}
      parameters={parameters}
      leave={leave}
    />
  )
}

/** Where nothing else can be shown. */
const Alone = ({ error, again }: { readonly error: unknown; readonly again: () => void }) => (
  <main class="frame-main">
    <Failure error={error} again={again} />
  </main>
)
