import { useMemo } from 'preact/hooks'
import type { SpendingStep } from '../../src/client/index.ts'
import { whenText } from '../history/when.ts'
import { Chart, chartStyle, type PlotLibrary } from '../parts/chart.tsx'
import { costText } from '../parts/number.ts'

interface SpendingProps {
  readonly steps: readonly SpendingStep[]
  /** What the dearest record has paid. */
  readonly spent: number
}

/** How far one analyst's purchases had come after each of them. */
interface Point {
  readonly x: number
  readonly analyst: string
  readonly sum: number
}

const colours = ['var(--paid-fill)', 'var(--free-fill)', 'var(--noise)', 'var(--line-strong)', 'var(--soft)']

/** Steps that rise with every purchase, stacked by analyst. */
export function Spending({ steps, spent }: SpendingProps) {
  const analysts = useMemo(() => [...new Set(steps.map(({ analyst }) => analyst ?? 'everybody'))], [steps])
  const points = useMemo(() => pointsOf(steps, analysts), [steps, analysts])
  if (steps.length === 0) return <p class="soft">Nothing has been bought yet.</p>
  const sum = steps.reduce((total, { cost }) => total + cost.epsilon, 0)
  return (
    <>
      {analysts.length > 1 && (
        <ul class="row small">
          {analysts.map((name, i) => (
            <li key={name} class="legend">
              <svg width="12" height="12" aria-hidden="true">
                <rect width="12" height="12" rx="2" fill={colours[i % colours.length]} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
      <Chart
        label="Prices of all purchases, added up in their order"
        height={220}
        given={[points, analysts]}
        draw={(plot, width) => draw(plot, width, points, analysts, steps.length)}
        table={<StepsTable steps={steps} />}
      />
      <p class="small soft">
        {sum > 1.001 * spent
          ? `Prices add up to ${costText(sum)}. The budget counts what any single record has paid, ${costText(spent)}: a count of people under 30 and a count of people over 60 never charge the same person.`
          : 'Each step is the price of one purchase.'}
      </p>
    </>
  )
}

function pointsOf(steps: readonly SpendingStep[], analysts: readonly string[]): Point[] {
  const sums = new Map(analysts.map((name) => [name, 0]))
  // One more behind the last: its step would have no width.
  return [undefined, ...steps, undefined].flatMap((step, x) => {
    if (step) {
      const name = step.analyst ?? 'everybody'
      sums.set(name, sums.get(name)! + step.cost.epsilon)
    }
    return analysts.map((analyst) => ({ x, analyst, sum: sums.get(analyst)! }))
  })
}

const draw = (
  plot: PlotLibrary,
  width: number,
  points: readonly Point[],
  analysts: readonly string[],
  count: number,
): Element =>
  plot.plot({
    ...chartStyle(width),
    height: 220,
    marginLeft: 44,
    marginRight: 12,
    marginBottom: 36,
    x: {
      label: 'purchase',
      labelAnchor: 'center',
      labelArrow: 'none',
      ticks: Math.min(count, 8),
      tickFormat: (x: number) => (Number.isInteger(x) && x <= count ? String(x) : ''),
      domain: [0, count + 1],
    },
    y: { label: 'ε', labelArrow: 'none', grid: true, nice: true },
    color: { domain: [...analysts], range: analysts.map((_, i) => colours[i % colours.length]!) },
    marks: [
      plot.areaY(points, { x: 'x', y: 'sum', fill: 'analyst', z: 'analyst', curve: 'step-after', fillOpacity: 0.8 }),
      plot.ruleY([0], { stroke: 'var(--line-strong)' }),
    ],
  })

const StepsTable = ({ steps }: { readonly steps: readonly SpendingStep[] }) => (
  <table class="plain">
    <thead>
      <tr>
        <th>No.</th>
        <th>When</th>
        <th>Analyst</th>
        <th class="numeric">Price</th>
      </tr>
    </thead>
    <tbody>
      {[...steps].reverse().map(({ number, at, analyst, cost }) => (
        <tr key={number}>
          <td>{number}</td>
          <td>{whenText(at)}</td>
          <td>{analyst ?? '–'}</td>
          <td class="numeric">{costText(cost.epsilon)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
