import { Chart, chartStyle, type PlotLibrary } from '../../parts/chart.tsx'
import { exactText, percentText } from '../../parts/number.ts'
import type { NumberColumn } from '../columns.ts'

type Density = NonNullable<NumberColumn['density']>

interface DensityProps {
  readonly density: Density
  readonly interval: NumberColumn['interval']
  readonly confidence: number
}

/** The law of the error around the estimate; what lies in the interval is filled. */
export function DensityChart({ density, interval, confidence }: DensityProps) {
  const [low, high] = interval
  const label = `Where the exact number lies: ${percentText(confidence)} sure between ${low === null ? 'anything' : exactText(low)} and ${high === null ? 'anything' : exactText(high)}`
  return (
    <Chart
      label={label}
      height={110}
      given={[density, interval]}
      draw={(plot, width) => draw(plot, width, density, interval)}
    />
  )
}

/** Points of the curve: the middles of the columns. */
function pointsOf({ from, to, masses }: Density): { x: number; y: number }[] {
  const step = (to - from) / masses.length
  return masses.map((y, i) => ({ x: from + (i + 0.5) * step, y }))
}

function draw(plot: PlotLibrary, width: number, density: Density, [low, high]: NumberColumn['interval']): Element {
  const points = pointsOf(density)
  const inside = points.filter(({ x }) => (low === null || x >= low) && (high === null || x <= high))
  return plot.plot({
    ...chartStyle(width),
    height: 110,
    marginTop: 6,
    marginBottom: 24,
    // Half of a label may stand beyond the last tick.
    marginLeft: 24,
    marginRight: 24,
    x: { label: null, ticks: Math.max(3, Math.floor(width / 110)), domain: [density.from, density.to] },
    y: { axis: null, domain: [0, Math.max(...density.masses)] },
    marks: [
      plot.areaY(inside, { x: 'x', y: 'y', fill: 'var(--paid-wash)', curve: 'monotone-x' }),
      plot.lineY(points, { x: 'x', y: 'y', stroke: 'var(--paid)', strokeWidth: 1.5, curve: 'monotone-x' }),
      plot.ruleY([0], { stroke: 'var(--line-strong)' }),
    ],
  })
}

/** How likely the number is above a threshold given the estimate alone, by the curve: whole columns, and a part of the one it falls in. */
export function probabilityAbove({ from, to, masses }: Density, threshold: number): number {
  const step = (to - from) / masses.length
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  const above = masses.reduce((sum, mass, i) => {
    const share = (from + (i + 1) * step - threshold) / step
    return sum + mass * Math.min(1, Math.max(0, share))
  }, 0)
  return total > 0 ? above / total : 0
}
