import type { Curve, PlanResponse } from '../../src/client/index.ts'
import { Price } from '../parts/cost.tsx'
import { KindMark, kindMeaning } from '../parts/mark.tsx'
import { costText, withinText } from '../parts/number.ts'
import { pageWords } from '../parts/page-words.ts'

/** In one line: what it costs and what it leaves. */
export function PlanLine({ plan }: { readonly plan: PlanResponse | undefined }) {
  if (!plan)
    return (
      <span class="soft">
        costs <span class="skeleton" />
      </span>
    )
  const { cost, least, raised, left, affordable } = plan
  if (cost.epsilon === 0)
    return (
      <span>
        <strong class="is-free">Free</strong>, leaves {costText(left.epsilon)}
      </span>
    )
  // A price that is not known is given as all that is left.
  if (!affordable && cost.epsilon <= left.epsilon)
    return (
      <span>
        <strong class="is-refused">may cost more</strong> than the {costText(left.epsilon)} left
      </span>
    )
  if (!affordable)
    return (
      <span>
        <strong class="is-refused">
          costs <Price epsilon={cost.epsilon} />
        </strong>
        , only {costText(left.epsilon)} left
      </span>
    )
  return (
    <span>
      costs{' '}
      <strong>
        {least && least.epsilon < cost.epsilon ? `${costText(least.epsilon)} to ` : ''}
        <Price epsilon={cost.epsilon} />
      </strong>
      , leaves {costText(Math.max(0, left.epsilon - raised.epsilon))}
    </span>
  )
}

/** Before the question is asked: how it would be answered. */
export function PlanDetails({ plan, curve }: { readonly plan: PlanResponse; readonly curve: Curve | undefined }) {
  const { kind, parts, notes, affordable } = plan
  return (
    <div class="stack close">
      <h2>{affordable ? 'How it would be answered' : 'More than is left'}</h2>
      <p>
        <KindMark kind={kind} /> · {kindMeaning(kind)}
      </p>
      {parts.length > 0 && (
        <ul class="plan-parts small">
          {parts.map(({ description, epsilon, within }) => (
            <li key={description}>
              <span>{description}</span>
              <span class="soft">
                ± {withinText(within)} for <Price epsilon={epsilon} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {curve?.query === plan.query && curve.freeWithin !== null && curve.freeWithin > 0 && (
        <p class="soft">Earlier answers give it within ± {withinText(curve.freeWithin)}, for free.</p>
      )}
      {notes?.map((note) => (
        <p key={note} class="notice small">
          {pageWords(note)}
        </p>
      ))}
      {affordable && <p class="soft">Press Enter to ask.</p>}
    </div>
  )
}
