import type { DatasetDescription } from '../../src/client/index.ts'
import { percentText, withinText } from '../parts/number.ts'

/** What nobody may come to know too well. */
export const Guards = ({ guards }: { readonly guards: DatasetDescription['guards'] }) => (
  <section class="card stack close" aria-label="Guards">
    <h2>Guards</h2>
    <p class="soft">
      Besides the budget, nobody may learn these too precisely: purchases that would reveal too much are refused.
    </p>
    <ul class="stack close">
      {guards.map(({ query, within, confidence }) => (
        <li key={query}>
          <code>{query}</code>
          <p class="small soft">
            never within ± {withinText(within)} with more than {percentText(confidence)} certainty
          </p>
        </li>
      ))}
    </ul>
  </section>
)
