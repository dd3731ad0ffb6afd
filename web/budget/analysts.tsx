import type { BudgetResponse } from '../../src/client/index.ts'
import { costText } from '../parts/number.ts'

/** Every analyst's own cap, and what is left of it. */
export const Analysts = ({ analysts }: { readonly analysts: BudgetResponse['budget']['analysts'] }) => (
  <div class="scrolls">
    <table class="plain">
      <thead>
        <tr>
          <th>Analyst</th>
          <th class="numeric">Spent</th>
          <th class="numeric">Cap</th>
          <th class="numeric">Left</th>
        </tr>
      </thead>
      <tbody>
        {analysts.map(({ name, cap, spent, left }) => (
          <tr key={name}>
            <td>{name}</td>
            <td class="numeric">{costText(spent.epsilon)}</td>
            <td class="numeric">{costText(cap.epsilon)}</td>
            <td class="numeric">{costText(left.epsilon)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
