import type { PlanResponse } from '../../src/client/index.ts'
import { costText } from '../parts/number.ts'

interface AskButtonProps {
  readonly plan: PlanResponse | undefined
  readonly isAsking: boolean
  /** The price on it is that of another question. It stays enabled to the eye: while somebody types it would flicker. */
  readonly isPlanning: boolean
  readonly disabled: boolean
  readonly ask: () => void
}

/** ⏎ ask · free, or what it costs. */
export function AskButton({ plan, isAsking, isPlanning, disabled, ask }: AskButtonProps) {
  const isFree = plan?.cost.epsilon === 0
  const price = !plan?.affordable ? '' : isFree ? ' · free' : ` · ε ${costText(plan.cost.epsilon)}`
  return (
    <button
      type="button"
      class={`button primary ${isFree ? 'free' : ''}`}
      disabled={disabled || isAsking}
      aria-disabled={isPlanning}
      onClick={ask}
    >
      <span aria-hidden="true">⏎</span> {isAsking ? 'Asking…' : `Ask${price}`}
    </button>
  )
}
