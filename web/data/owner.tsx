import { useSession } from '../app/session.ts'
import { Failure } from '../parts/failure.tsx'
import { countText } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'
import { Ledger } from './ledger.tsx'
import { Tokens } from './tokens.tsx'

/** For the owner: is everything in order, who has a token, and does the ledger add up? */
export function Owner() {
  const { dataset, description } = useSession()
  const check = useAsync((signal) => dataset.check({ signal }), [dataset])
  return (
    <section class="stack" aria-label="For the owner">
      <h2>For the owner</h2>
      <div class="columns">
        <section class="card half stack close" aria-label="Check">
          <h3>Check</h3>
          {check.isLoading && <p class="soft">Looking at policy, source and ledger…</p>}
          {check.error ? <Failure error={check.error} again={check.again} /> : undefined}
          {check.value?.ok && <p class="is-free">✓ Policy, source and ledger are in order.</p>}
          {check.value?.problems.map(({ message, detail, hint }) => (
            <div key={message} class="notice noise">
              <p>{message}</p>
              {detail && <p class="small">{detail}</p>}
              {hint && <p class="small soft">{hint}</p>}
            </div>
          ))}
          {check.value?.ledger && <p class="small soft">{countText(check.value.ledger.rows)} rows in the ledger.</p>}
        </section>
        <section class="card half stack close" aria-label="Ledger">
          <h3>Ledger</h3>
          <Ledger />
        </section>
        {description.role === 'owner' && (
          <section class="card stack" aria-label="Tokens">
            <h3>Tokens</h3>
            <Tokens />
          </section>
        )}
        {description.role === 'open' && (
          <p class="notice small">
            This server has no tokens and listens on this machine alone. <code>reticent token add</code> makes the first
            one.
          </p>
        )}
      </div>
    </section>
  )
}
