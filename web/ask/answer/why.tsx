import { hashOf } from '../../app/route.ts'
import { useSession } from '../../app/session.ts'
import { percentText } from '../../parts/number.ts'
import { pageWords } from '../../parts/page-words.ts'
import type { Answer } from '../columns.ts'

/** The measurements that an answer was made of, each with its place in the history. */
export function Why({ answer }: { readonly answer: Answer }) {
  const { place } = useSession()
  const { madeOf = [], notes = [], disagreement, receipt } = answer
  return (
    <details class="why">
      <summary>Why this answer?</summary>
      <div class="stack close">
        {madeOf.length === 0 && <p>It follows from the policy alone: no measurement was needed.</p>}
        {madeOf.length > 0 && (
          <div class="scrolls">
            <table class="plain small">
              <thead>
                <tr>
                  <th>Measurement</th>
                  <th class="numeric">Share of the uncertainty</th>
                  <th class="numeric">In the history</th>
                </tr>
              </thead>
              <tbody>
                {madeOf.map((part) => (
                  <tr key={`${part.part} ${part.measurement} ${part.purchase}`}>
                    <td>{part.measurement}</td>
                    <td class="numeric">{percentText(part.share)}</td>
                    <td class="numeric">
                      <a href={hashOf('history', { ...place, n: String(part.purchase) })}>no. {part.purchase}</a>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {notes.map((note) => (
          <p key={note}>{pageWords(note)}</p>
        ))}
        {disagreement !== undefined && (
          <p class="notice noise">
            The answers behind this disagree more than noise explains: chance does that {percentText(disagreement)} of
            the time.
          </p>
        )}
        <p class="soft small receipt">
          Receipt <code>{receipt}</code>
        </p>
      </div>
    </details>
  )
}
