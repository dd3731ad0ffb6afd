import type { BudgetResponse } from '../../src/client/index.ts'
import { costText } from '../parts/number.ts'
import type { Ghost } from './session.ts'

/** What is spent of the budget, and what the question being typed would add. */
export function Ribbon({
  budget,
  ghost,
}: {
  readonly budget: BudgetResponse | undefined
  readonly ghost: Ghost | undefined
}) {
  if (!budget)
    return (
      <div class="frame-ribbon" aria-hidden="true">
        <div class="ribbon" />
        <span class="ribbon-words">
          <span class="skeleton" />
        </span>
      </div>
    )
  const { cap, spent } = budget.budget
  const part = (epsilon: number) => Math.min(1, Math.max(0, epsilon / cap.epsilon))
  const used = part(spent.epsilon)
  const added = ghost ? Math.min(part(ghost.epsilon), 1 - used) : 0
  const words = `${costText(spent.epsilon)} of ${costText(cap.epsilon)} spent`
  return (
    <div class="frame-ribbon">
      <meter
        class="hidden-visually"
        aria-label="Privacy budget spent"
        min={0}
        max={cap.epsilon}
        value={spent.epsilon}
      />
      <div class="ribbon" aria-hidden="true">
        <span class="ribbon-spent" style={{ width: `${100 * used}%` }} />
        <span
          class={`ribbon-ghost ${ghost && !ghost.affordable ? 'beyond' : ''}`}
          style={{ width: added > 0 ? `max(2px, ${100 * added}%)` : '0' }}
        />
      </div>
      <span class="ribbon-words">
        {ghost && ghost.epsilon > 0 && (
          <span class={ghost.affordable ? 'is-paid' : 'is-refused'}>+ {costText(ghost.epsilon)} · </span>
        )}
        <span title={`ε = ${spent.epsilon} of ${cap.epsilon}`}>{words}</span>
      </span>
    </div>
  )
}
