import { useState } from 'preact/hooks'
import { useSession } from '../app/session.ts'
import { LogSlider } from '../parts/log-slider.tsx'
import { costText, niceWidth } from '../parts/number.ts'

/** What the whole release may cost: a slider up to what is left. */
export function PriceField({
  epsilon,
  change,
}: {
  readonly epsilon: number
  readonly change: (epsilon: number) => void
}) {
  const left = useSession().budget?.budget.left.epsilon ?? 1
  return (
    <div class="stack close">
      <label class="row spread">
        <span>
          Privacy to spend <span class="small soft">ε</span>
        </span>
        <input
          class="field number"
          inputMode="decimal"
          value={epsilon}
          onChange={(event) => {
            const value = Number(event.currentTarget.value)
            if (value > 0) change(value)
            else event.currentTarget.value = String(epsilon)
          }}
        />
      </label>
      <LogSlider
        label="Privacy to spend"
        value={epsilon}
        low={0.005}
        high={Math.max(left, 0.01)}
        text={`costs ${epsilon}`}
        change={(value) => change(niceWidth(value))}
      />
      <p class="small soft">{costText(left)} is left.</p>
    </div>
  )
}

/** The price that is chosen; until then a share of what is left, once that is known. */
export function usePrice(): readonly [number, (epsilon: number) => void] {
  const left = useSession().budget?.budget.left.epsilon
  const [chosen, choose] = useState<number>()
  return [chosen ?? firstPrice(left), choose]
}

const firstPrice = (left: number | undefined): number =>
  left === undefined || left <= 0 ? 0.1 : Math.min(0.2, niceWidth(left / 4))
