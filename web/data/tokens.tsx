import { useState } from 'preact/hooks'
import { useSession } from '../app/session.ts'
import { whenText } from '../history/when.ts'
import { Copy } from '../parts/copy.tsx'
import { Failure } from '../parts/failure.tsx'
import { useAsync } from '../parts/use-async.ts'

/** Who may ask here. A token is shown once, when it is made. */
export function Tokens() {
  const { client, description } = useSession()
  const tokens = useAsync((signal) => client.tokens({ signal }), [client])
  const [error, setError] = useState<unknown>()
  const revoke = (id: string) => client.revokeToken(id).then(tokens.again, setError)
  const own = tokens.value?.filter(({ dataset }) => dataset === description.name) ?? []
  return (
    <div class="stack">
      {(tokens.error ?? error) !== undefined && <Failure error={tokens.error ?? error} />}
      <div class="scrolls">
        <table class="plain">
          <thead>
            <tr>
              <th>Who</th>
              <th>Role</th>
              <th>Since</th>
              <th>
                <span class="hidden-visually">Revoke</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {own.map(({ id, name, role, created }) => (
              <tr key={id}>
                <td>{name ?? id}</td>
                <td>{role}</td>
                <td class="soft nowrap">{whenText(created)}</td>
                <td class="numeric">
                  <button type="button" class="button small" onClick={() => revoke(id)}>
                    Revoke
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <NewToken added={tokens.again} />
    </div>
  )
}

function NewToken({ added }: { readonly added: () => void }) {
  const { client, description } = useSession()
  const analysts = description.analysts ?? []
  const [role, setRole] = useState<'analyst' | 'owner'>('analyst')
  const [name, setName] = useState(analysts[0]?.name ?? '')
  const [issued, setIssued] = useState<string>()
  const [error, setError] = useState<unknown>()
  const add = async (event: Event) => {
    event.preventDefault()
    setError(undefined)
    try {
      const { token } = await client.addToken({ dataset: description.name, role, ...(name !== '' && { name }) })
      setIssued(token)
      added()
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <form class="stack close" onSubmit={add}>
      <div class="row">
        <select
          class="field"
          aria-label="Role"
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as typeof role)}
        >
          <option value="analyst">analyst</option>
          <option value="owner">owner</option>
        </select>
        {role === 'analyst' && analysts.length > 0 ? (
          <select
            class="field"
            aria-label="Analyst"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          >
            {analysts.map((analyst) => (
              <option key={analyst.name} value={analyst.name}>
                {analyst.name}
              </option>
            ))}
          </select>
        ) : (
          <input
            class="field"
            aria-label="Name"
            placeholder="name"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
        <button type="submit" class="button">
          Make a token
        </button>
      </div>
      {error !== undefined && <Failure error={error} />}
      {issued && (
        <div class="notice free" role="status">
          <p>This is the only time that it is shown.</p>
          <div class="row">
            <code class="receipt">{issued}</code>
            <Copy text={issued}>Copy</Copy>
          </div>
        </div>
      )}
    </form>
  )
}
