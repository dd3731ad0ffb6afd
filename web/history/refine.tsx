import { useState } from 'preact/hooks'
import { useSession } from '../app/session.ts'
import { type Answer, columnsOf, isGrouped } from '../ask/columns.ts'
import { widthsOf } from '../ask/precision.tsx'
import { Price } from '../parts/cost.tsx'
import { Failure } from '../parts/failure.tsx'
import { LogSlider } from '../parts/log-slider.tsx'
import { KindMark } from '../parts/mark.tsx'
import { niceWidth, plusMinus, withinText } from '../parts/number.ts'
import { useAsync } from '../parts/use-async.ts'

/** "Refine to ±": a slider from what is free to twice, ten times as precise, with its price. */
export function Refine({ sql, changed }: { readonly sql: string; readonly changed: () => void }) {
  const { dataset, as, refreshBudget } = useSession()
  const person = as === undefined ? {} : { as }
  const [round, setRound] = useState(0)
  const curve = useAsync((signal) => dataset.curve({ sql, ...person }, { signal }), [dataset, sql, as, round])
  const [chosen, setChosen] = useState<number>()
  const [outcome, setOutcome] = useState<{ answer?: Answer; error?: unknown; isAsking: boolean }>({ isAsking: false })
  const free = curve.value?.freeWithin ?? undefined
  const within = chosen ?? (free === undefined ? undefined : niceWidth(free / 2))
  const plan = useAsync(
    within === undefined ? undefined : (signal) => dataset.plan({ sql, within, ...person }, { signal }),
    [dataset, sql, within, as, round],
    40,
  )
  if (!curve.value || within === undefined) return null
  const { low } = widthsOf(curve.value)
  const buy = async () => {
    setOutcome({ isAsking: true })
    try {
      setOutcome({ answer: (await dataset.ask({ sql, within, ...person })) as Answer, isAsking: false })
      setRound((n) => n + 1)
      changed()
    } catch (error) {
      setOutcome({ error, isAsking: false })
    }
    refreshBudget()
  }
  return (
    <div class="refine">
      <span class="nowrap">Refine to ± {withinText(within)}</span>
      <LogSlider
        label="Refine to a half-width of"
        value={within}
        low={low}
        high={free ?? widthsOf(curve.value).high}
        text={`within ± ${withinText(within)}`}
        change={(value) => setChosen(niceWidth(value))}
      />
      <span class="row nowrap">
        {plan.value ? (
          <span class={plan.value.affordable ? '' : 'is-refused'}>
            <KindMark kind={plan.value.kind} bare /> <Price epsilon={plan.value.cost.epsilon} />
          </span>
        ) : (
          <span class="skeleton" />
        )}
        <button
          type="button"
          class="button small"
          disabled={outcome.isAsking || plan.isLoading || !plan.value?.affordable}
          onClick={buy}
        >
          {outcome.isAsking ? 'Asking…' : 'Refine'}
        </button>
      </span>
      {outcome.answer && <p class="refine-outcome">{summary(outcome.answer)}</p>}
      {outcome.error !== undefined && <Failure error={outcome.error} />}
    </div>
  )
}

function summary(answer: Answer): string {
  const [column] = columnsOf(answer)
  if (!column || isGrouped(column)) return 'Done: the table above is refined.'
  return `Now ${plusMinus(column.estimate, column.within)}.`
}
