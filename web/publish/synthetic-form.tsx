import { useState } from 'preact/hooks'
import type { JobPlan, JobRequest } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import { countText, percentText } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'
import { PlanSummary } from './plan-summary.tsx'
import { PriceField, usePrice } from './price-field.tsx'

type SynthRequest = Extract<JobRequest, { kind: 'synth' }>
type SynthMethod = NonNullable<SynthRequest['options']['method']>

const methods: Record<'best' | 'free' | SynthMethod, { readonly name: string; readonly about: string }> = {
  best: { name: 'Automatic', about: 'Pairs of attributes, or the method that fits a small table better.' },
  free: {
    name: 'From earlier answers, free',
    about: 'Fits a model to what has been released already. Costs nothing and opens no data.',
  },
  pairs: { name: 'Pairs', about: 'Measures attributes and pairs of them, and joins them into one model.' },
  mwem: {
    name: 'Multiplicative weights',
    about: 'Measures, round by round, what the model gets most wrong. For small tables.',
  },
  factored: { name: 'Factored', about: 'The same for tables with many attributes.' },
  maxent: {
    name: 'Maximum entropy',
    about: 'Buys all marginals, then takes the table of maximum entropy that fits them.',
  },
  independent: { name: 'Independent', about: 'Every attribute by itself, as if they were independent.' },
  mixture: { name: 'Mixture', about: 'A mixture of simple tables.' },
}

/** How many made-up records, for what price, by which method. */
export function SyntheticForm({ start }: { readonly start: (request: JobRequest) => Promise<void> }) {
  const { dataset, as } = useSession()
  const [epsilon, setEpsilon] = usePrice()
  const [method, setMethod] = useState<keyof typeof methods>('best')
  const [rows, setRows] = useState('')
  const person = as === undefined ? {} : { as }
  const amount = Number(rows.replaceAll(',', '')) > 0 ? { rows: Number(rows.replaceAll(',', '')) } : {}
  const request: SynthRequest = {
    kind: 'synth',
    options:
      method === 'free'
        ? { free: true, ...amount }
        : { epsilon, ...(method !== 'best' && { method }), ...amount, ...person },
  }
  const plan = useAsync((signal) => dataset.planJob(request, { signal }), [dataset, JSON.stringify(request)], 120)
  return (
    <div class="columns">
      <section class="card seven stack" aria-label="Method">
        <div>
          <h2>A table of made-up records</h2>
          <p class="soft">
            It has the columns, values and types of the private one, and nobody is in it. Whoever gets it may keep it;
            questions about it cost nothing. How far each pair of attributes is off is shown when it is done.
          </p>
        </div>
        <fieldset class="methods">
          <legend class="hidden-visually">Method</legend>
          {Object.entries(methods)
            .filter(([name]) => name !== 'mixture')
            .map(([name, { name: title, about }]) => (
              <label key={name} class="method">
                <input
                  type="radio"
                  name="method"
                  checked={method === name}
                  onChange={() => setMethod(name as keyof typeof methods)}
                />
                <span>
                  <strong>{title}</strong>
                  <span class="small soft">{about}</span>
                </span>
              </label>
            ))}
        </fieldset>
      </section>
      <section class="card five stack" aria-label="Price">
        <h2>Price and size</h2>
        {method !== 'free' && <PriceField epsilon={epsilon} change={setEpsilon} />}
        <label class="row spread">
          Records to make up
          <input
            class="field number"
            inputMode="numeric"
            placeholder="as many"
            value={rows}
            onInput={(event) => setRows(event.currentTarget.value)}
          />
        </label>
        <PlanSummary plan={plan} start={() => start(request)}>
          {plan.value && <Steps plan={plan.value} />}
        </PlanSummary>
      </section>
    </div>
  )
}

/** What would be bought, step by step. */
function Steps({ plan }: { readonly plan: JobPlan }) {
  if ('free' in plan)
    return (
      <p>
        Fitted to {countText(plan.answers)} earlier answers with {countText(plan.numbers)} noisy numbers.
      </p>
    )
  if (!('steps' in plan)) return null
  return (
    <table class="plain small">
      <thead>
        <tr>
          <th>Step</th>
          <th class="numeric">Answers</th>
          <th class="numeric">Of the price</th>
        </tr>
      </thead>
      <tbody>
        {plan.steps.map(({ name, count, share }) => (
          <tr key={name}>
            <td>{name}</td>
            <td class="numeric">{countText(count)}</td>
            <td class="numeric">{percentText(share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
