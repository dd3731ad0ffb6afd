import type { JobPlan } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import { percentText, plural, withinText } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'
import { quotedName } from '../sql/attribute.ts'

type TablesPlan = Extract<JobPlan, { marginals: unknown }>

/** What all of the rest would buy: one of these, not all. */
export function WhatIsLeft({ left }: { readonly left: number }) {
  const { dataset, description, as } = useSession()
  const attributes = description.attributes.length
  const person = as === undefined ? {} : { as }
  const price = left > 0 ? Math.floor(left * 1e6) / 1e6 : 0
  const count = useAsync(
    price === 0
      ? undefined
      : (signal) =>
          dataset.plan(
            { sql: `SELECT COUNT(*) FROM ${quotedName(description.name)}`, epsilon: price, ...person },
            { signal },
          ),
    [dataset, price, as],
  )
  const tables = (ways: number) => async (signal: AbortSignal) =>
    (await dataset.planJob(
      { kind: 'marginals', options: { ways, epsilon: price, ...person } },
      { signal },
    )) as TablesPlan
  const single = useAsync(price === 0 ? undefined : tables(1), [dataset, price, as])
  const pairs = useAsync(price === 0 || attributes < 2 ? undefined : tables(2), [dataset, price, as])
  if (price === 0) return <p>Nothing is left. What earlier answers determine stays free.</p>
  const within = count.value?.parts[0]?.within
  return (
    <div class="stack close">
      <dl class="left-buys">
        <dt>the number of all records</dt>
        <dd>{within === undefined ? <Waiting is={count.isLoading} /> : `± ${withinText(within)}`}</dd>
        <dt>or {plural(attributes, 'table')} of one attribute</dt>
        <dd>
          {single.value ? `off by ${percentText(single.value.expected.measured)}` : <Waiting is={single.isLoading} />}
        </dd>
        {attributes > 1 && (
          <>
            <dt>or {plural((attributes * (attributes - 1)) / 2, 'table')} of two</dt>
            <dd>
              {pairs.value ? `off by ${percentText(pairs.value.expected.measured)}` : <Waiting is={pairs.isLoading} />}
            </dd>
          </>
        )}
      </dl>
      <p class="small soft">
        “Off by” is the expected error of a count, relative to its size. What is bought makes later answers free.
      </p>
    </div>
  )
}

const Waiting = ({ is }: { readonly is: boolean }) =>
  is ? <span class="skeleton" /> : <span class="soft">not planned</span>
