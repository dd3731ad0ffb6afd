import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { JobPlan } from '../../src/client/index.ts'
import { Price } from '../parts/cost.tsx'
import { Failure } from '../parts/failure.tsx'
import { costText } from '../parts/number.ts'
import type { Loaded } from '../parts/use-async.ts'

interface PlanSummaryProps {
  readonly plan: Loaded<JobPlan>
  readonly start: () => Promise<void>
  /** Why it is hardly worth its price, where it is not: then somebody has to say that it is wanted all the same. */
  readonly doubt?: string | undefined
  readonly children: ComponentChildren
}

/** What it costs and leaves, and the button that runs it. */
export function PlanSummary({ plan, start, doubt, children }: PlanSummaryProps) {
  const [isStarting, setStarting] = useState(false)
  const [accepted, setAccepted] = useState<string>()
  const isDoubtful = doubt !== undefined && accepted !== doubt
  const { value, error } = plan
  if (error) return <Failure error={error} />
  if (!value) return <div class="skeleton block" aria-hidden="true" />
  const isAffordable = !('affordable' in value) || value.affordable
  const run = async () => {
    setStarting(true)
    await start()
    setStarting(false)
  }
  return (
    <div class={`stack close ${plan.isLoading ? 'waiting' : ''}`}>
      {children}
      <p>
        Costs <Price epsilon={value.cost.epsilon} />
        {isAffordable ? (
          <>, leaves {costText(Math.max(0, value.left.epsilon - value.cost.epsilon))}</>
        ) : (
          <span class="is-refused">, more than the {costText(value.left.epsilon)} that is left</span>
        )}
      </p>
      {doubt !== undefined && (
        <label class="doubt">
          <input
            type="checkbox"
            checked={!isDoubtful}
            onChange={(event) => setAccepted(event.currentTarget.checked ? doubt : undefined)}
          />
          <span>{doubt} Publish all the same.</span>
        </label>
      )}
      <div>
        <button
          type="button"
          class={`button primary ${value.cost.epsilon === 0 ? 'free' : ''}`}
          disabled={!isAffordable || isStarting || isDoubtful}
          onClick={run}
        >
          {isStarting
            ? 'Starting…'
            : `Publish · ${value.cost.epsilon === 0 ? 'free' : `ε ${costText(value.cost.epsilon)}`}`}
        </button>
      </div>
    </div>
  )
}
