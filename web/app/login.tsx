import { useState } from 'preact/hooks'
import { Logo } from './logo.tsx'

/** Asks for the token, which is kept in this tab alone. */
export function Login({ refused, enter }: { readonly refused: boolean; readonly enter: (token: string) => void }) {
  const [token, setToken] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    if (token.trim() !== '') enter(token.trim())
  }
  return (
    <main class="login">
      <form class="card stack" onSubmit={submit}>
        <div class="brand">
          <Logo />
          Reticent
        </div>
        <h1>Sign in with your token</h1>
        <p class="soft">
          The owner of the data has given you one. It says who you are and which budget your questions are paid from. It
          is kept in this tab and forgotten when you close it.
        </p>
        {refused && (
          <p class="notice refused" role="alert">
            <span class="title">This token is unknown.</span> It may have been mistyped or revoked.
          </p>
        )}
        <label class="stack close">
          Token
          <input
            class="field mono"
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button primary" disabled={token.trim() === ''}>
          Sign in
        </button>
      </form>
    </main>
  )
}
