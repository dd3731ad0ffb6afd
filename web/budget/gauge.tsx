import { costText, percentText } from '../parts/number.ts'

const radius = 84
const length = Math.PI * radius
const arc = `M16,100 A${radius},${radius} 0 0 1 ${16 + 2 * radius},100`

/** Half a circle that fills as the budget is spent. */
export function Gauge({ spent, cap }: { readonly spent: number; readonly cap: number }) {
  const share = Math.min(1, spent / cap)
  return (
    <div class="gauge">
      <svg viewBox="0 0 200 112" role="img" aria-label={`${percentText(share)} of the privacy budget is spent`}>
        <path d={arc} class="gauge-whole" />
        <path
          d={arc}
          class={`gauge-spent ${share > 0.9 ? 'nearly' : ''}`}
          stroke-dasharray={`${share * length} ${length}`}
        />
        <text x="100" y="88" text-anchor="middle" class="gauge-number">
          {costText(spent)}
        </text>
        <text x="100" y="108" text-anchor="middle" class="gauge-words">
          of {costText(cap)} spent
        </text>
      </svg>
    </div>
  )
}
