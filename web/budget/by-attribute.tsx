import type { AttributeShare } from '../../src/client/index.ts'
import { percentText } from '../parts/number.ts'

/** Per attribute, how much of what the dearest record paid went to answers about it. */
export function ByAttribute({ shares }: { readonly shares: readonly AttributeShare[] }) {
  if (shares.every(({ share }) => share === 0)) return <p class="soft">Nothing has been spent on any attribute yet.</p>
  const sorted = [...shares].sort((a, b) => b.share - a.share)
  const most = Math.max(...shares.map(({ share }) => share), 1e-12)
  return (
    <div class="stack close">
      <table class="plain groups">
        <thead class="hidden-visually">
          <tr>
            <th>Attribute</th>
            <th>Share</th>
            <th>Picture</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ attribute, share }) => (
            <tr key={attribute}>
              <th scope="row">{attribute}</th>
              <td class="numeric">{percentText(share)}</td>
              <td class="groups-bar">
                <svg class="bar" width="100%" height="20" aria-hidden="true">
                  <rect x="0" width={`${(100 * share) / most}%`} y="4" height="12" />
                </svg>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="small soft">An answer about two attributes counts for both, so shares may add up to more than 100%.</p>
    </div>
  )
}
