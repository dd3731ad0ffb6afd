import { useState } from 'preact/hooks'
import type { VerifyResponse } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import { Failure } from '../parts/failure.tsx'
import { costText, countText } from '../parts/number.ts'

/** Reads the whole ledger again, and compares it with a receipt that somebody has kept. */
export function Ledger() {
  const { dataset } = useSession()
  const [receipt, setReceipt] = useState('')
  const [state, setState] = useState<{ verdict?: VerifyResponse; error?: unknown; isBusy: boolean }>({ isBusy: false })
  const verify = async (event: Event) => {
    event.preventDefault()
    setState({ isBusy: true })
    try {
      setState({ verdict: await dataset.verifyLedger(receipt.trim() || undefined), isBusy: false })
    } catch (error) {
      setState({ error, isBusy: false })
    }
  }
  return (
    <form class="stack close" onSubmit={verify}>
      <label class="stack close small">
        Receipt of an answer, to see whether this ledger still contains it
        <input
          class="field mono"
          placeholder="optional"
          value={receipt}
          onInput={(event) => setReceipt(event.currentTarget.value)}
        />
      </label>
      <div>
        <button type="submit" class="button" disabled={state.isBusy}>
          {state.isBusy ? 'Verifying…' : 'Verify'}
        </button>
      </div>
      {state.error !== undefined && <Failure error={state.error} />}
      {state.verdict && <Verdict verdict={state.verdict} />}
    </form>
  )
}

function Verdict({ verdict }: { readonly verdict: VerifyResponse }) {
  const { ok, rows, sums, bound, cap, continues, continuesLastSeen, receipt } = verdict
  return (
    <div class={`notice ${ok ? 'free' : 'refused'}`} role="status">
      <p class={ok ? '' : 'title'}>
        {countText(rows)} rows, chain unbroken; no record has paid more than {costText(bound)} of {costText(cap)}
        {sums === 'kept' ? '.' : ': the sums are not kept.'}
      </p>
      {continuesLastSeen === false && <p>It does not continue the ledger that was last used with this policy.</p>}
      {continues !== undefined && (
        <p>{continues ? 'It contains the receipt.' : 'It does not contain the receipt: it is not a continuation.'}</p>
      )}
      <p class="small receipt">
        Head <code>{receipt}</code>
      </p>
    </div>
  )
}
