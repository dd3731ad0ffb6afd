import { useSession } from '../app/session.ts'
import { type Column, type Group, isGrouped, keyText } from '../ask/columns.ts'
import { plusMinus } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'
import { groupPairs } from './group-pairs.ts'

/** What a purchase says by itself, and what all answers together say. */
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
      By itself: <strong>{plusMinus(before.estimate, before.within)}</strong>. {words(before.within, now.within)}{' '}
      <strong class="is-free">{plusMinus(now.estimate, now.within)}</strong>.
    </p>
  )
}

function words(before: number | null, now: number | null): string {
  if (before !== null && now !== null && now < 0.999 * before) return 'With all other answers:'
  return 'No other answer makes it more precise:'
}

/** Groups then and now; the first few of them. */
function Groups({ before, now }: { readonly before: readonly Group[]; readonly now: readonly Group[] }) {
  return (
    <div class="scrolls">
      <table class="plain small then-and-now">
        <thead>
          <tr>
            <th>Group</th>
            <th class="numeric">By itself</th>
            <th class="numeric">Now, for free</th>
          </tr>
        </thead>
        <tbody>
          {groupPairs(before.slice(0, firstGroups), now).map((pair) => (
            <Row key={keysText(pair.before)} {...pair} />
          ))}
        </tbody>
      </table>
      {before.length > firstGroups && <p class="small soft">and {before.length - firstGroups} more groups</p>}
    </div>
  )
}

const firstGroups = 8
const keysText = ({ key }: Group): string => Object.values(key).map(keyText).join(', ')

const Row = ({ before, now }: { readonly before: Group; readonly now: Group | undefined }) => (
  <tr>
    <td>{keysText(before)}</td>
    <td class="numeric">{plusMinus(before.estimate, before.within)}</td>
    {now ? (
      <td class="numeric is-free">{plusMinus(now.estimate, now.within)}</td>
    ) : (
      <td class="numeric soft">no longer among the rows</td>
    )}
  </tr>
)
