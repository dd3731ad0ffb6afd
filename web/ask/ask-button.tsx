import type { PlanResponse } from '../../src/client/index.ts'
import { costText } from '../parts/number.ts'

interface AskButtonProps {
  readonly plan: PlanResponse | undefined
  readonly isAsking: boolean
  readonly disabled: boolean
  readonly ask: () => void
}

/** ⏎ ask · free, or what it costs. */
export function AskButton({ plan, isAsking, disabled, ask }: AskButtonProps) {
  const isFree = plan?.cost.epsilon === 0
  const price = !plan?.affordable ? '' : isFree ? ' · free' : ` · ε ${costText(plan.cost.epsilon)}`
  return (
    <button
      type="button"
      class={`button primary ${isFree ? 'free' : ''}`}
      disabled={disabled || isAsking}
      onClick={ask}
    >
      <span aria-hidden="true">⏎</span> {isAsking ? 'Asking…' : `Ask${price}`}
    </button>
  )
}
