import type { ImproveResponse } from '../../src/client/index.ts'
import { useSession } from '../app/session.ts'
import { type Column, isGrouped, keyText } from '../ask/columns.ts'
import { plusMinus, withinText } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'

/** What a purchase said, and what everything since makes of it. */
export function ThenAndNow({ number }: { readonly number: number }) {
  const { dataset } = useSession()
  const improved = useAsync((signal) => dataset.improve(number, {}, { signal }), [dataset, number])
  if (improved.isLoading) return <div class="skeleton block" aria-hidden="true" />
  if (!improved.value)
    return <p class="soft">This purchase was only a part of its answer: there is nothing to compare it with.</p>
  return (
    <>
      {improved.value.before.map((before, i) => (
        <Comparison key={before.name} before={before} now={improved.value!.now[i]!} />
      ))}
    </>
  )
}

type Estimates = { readonly before: Column; readonly now: Column }

function Comparison({ before, now }: Estimates) {
  if (isGrouped(before) && isGrouped(now)) return <Groups before={before.groups} now={now.groups} />
  if (isGrouped(before) || isGrouped(now)) return null
  return (
    <p>
      Was <strong>{plusMinus(before.estimate, before.within)}</strong>; {words(before.within, now.within)}
      <strong class="is-free">{plusMinus(now.estimate, now.within)}</strong>.
    </p>
  )
}

function words(before: number | null, now: number | null): string {
  if (before !== null && now !== null && now < 0.999 * before) return 'with everything since it is '
  return 'nothing since has improved it: it is '
}

type Groups = Extract<ImproveResponse['before'][number], { groups: unknown }>['groups']

/** Half-widths of groups, then and now; the first few of them. */
function Groups({ before, now }: { readonly before: Groups; readonly now: Groups }) {
  return (
    <div class="scrolls">
      <table class="plain small then-and-now">
        <thead>
          <tr>
            <th>Group</th>
            <th class="numeric">Then</th>
            <th class="numeric">Now, for free</th>
          </tr>
        </thead>
        <tbody>
          {before.slice(0, 8).map((group, i) => (
            <tr key={Object.values(group.key).map(keyText).join(', ')}>
              <td>{Object.values(group.key).map(keyText).join(', ')}</td>
              <td class="numeric">{plusMinus(group.estimate, group.within)}</td>
              <td class="numeric is-free">
                {now[i] ? plusMinus(now[i].estimate, now[i].within) : `± ${withinText(null)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {before.length > 8 && <p class="small soft">and {before.length - 8} more groups</p>}
    </div>
  )
}
