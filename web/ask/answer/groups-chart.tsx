import { useSession } from '../../app/session.ts'
import { Chart, chartStyle, type PlotLibrary } from '../../parts/chart.tsx'
import { HeatMap } from '../../parts/heat-map.tsx'
import { axisLabel } from '../../parts/label.ts'
import { plusMinus } from '../../parts/number.ts'
import { type GroupedColumn, type Key, keyText } from '../columns.ts'
import { type GroupRow, isMostlyNoise } from './groups.ts'
import { NoiseKey } from './noise-key.tsx'

interface GroupsChartProps {
  readonly names: readonly string[]
  readonly column: GroupedColumn
  readonly rows: readonly GroupRow[]
  /** Of the column among the rows' cells. */
  readonly at: number
}

/** One row as the charts need it. */
interface Bar {
  readonly key: Key
  readonly label: string
  readonly estimate: number
  readonly low: number
  readonly high: number
  readonly title: string
  readonly noise: boolean
}

/** Whether a chart is drawn of so many keys. */
export const isDrawable = (names: readonly string[], rows: readonly GroupRow[]): boolean =>
  rows.length > 0 && (names.length === 1 || names.length === 2)

/** One key: bars, or a line with a band where it has an order and many values; two keys: a heat map. */
export function GroupsChart({ names, column, rows, at }: GroupsChartProps) {
  const { attributes } = useSession().description
  const label = `${column.name} by ${names.join(' and ')}`
  if (names.length === 2) {
    const cells = rows.flatMap(({ keys, cells: estimates }) => {
      const cell = estimates[at]!
      if (cell.estimate === null) return []
      return [
        {
          y: keyText(keys[0]),
          x: keyText(keys[1]),
          value: cell.estimate,
          within: cell.within,
          noise: isMostlyNoise(cell),
        },
      ]
    })
    return (
      <>
        <HeatMap label={label} cells={cells} yName={names[0]!} xName={names[1]!} />
        <NoiseKey mark="Hatched" isShown={cells.some(({ noise }) => noise)} />
      </>
    )
  }
  const kind = attributes.find((a) => a.name === names[0])?.kind
  const bars = barsOf(rows, at)
  const isLine = kind === 'date' || (bars.length > 24 && bars.every((bar) => typeof bar.key === 'number'))
  return (
    <>
      <Chart
        label={label}
        height={280}
        given={[rows, at]}
        draw={(plot, width) =>
          isLine
            ? drawLine(plot, width, bars, { name: names[0]!, isDate: kind === 'date' })
            : drawBars(plot, width, bars)
        }
      />
      <NoiseKey mark="Brown" isShown={!isLine && bars.some(({ noise }) => noise)} />
    </>
  )
}

const barsOf = (rows: readonly GroupRow[], at: number): Bar[] =>
  rows.flatMap(({ keys, cells }) => {
    const { estimate, within, interval } = cells[at]!
    if (estimate === null) return []
    const label = keyText(keys[0])
    return [
      {
        key: keys[0] ?? null,
        label,
        estimate,
        low: interval[0] ?? estimate,
        high: interval[1] ?? estimate,
        title: `${label}: ${plusMinus(estimate, within)}`,
        noise: isMostlyNoise(cells[at]!),
      },
    ]
  })

function drawBars(plot: PlotLibrary, width: number, bars: readonly Bar[]): Element {
  const left = Math.min(160, 20 + 7 * Math.max(...bars.map((bar) => bar.label.length)))
  const rowHeight = bars.length > 40 ? 16 : 26
  return plot.plot({
    ...chartStyle(width),
    height: bars.length * rowHeight + 40,
    marginLeft: left,
    marginRight: 16,
    marginBottom: 28,
    marginTop: 8,
    x: { label: null, grid: true, nice: true, ticks: Math.max(3, Math.floor(width / 120)) },
    y: { label: null, domain: bars.map((bar) => bar.label), tickSize: 0, tickFormat: axisLabel },
    marks: [
      plot.barX(bars, {
        y: 'label',
        x: 'estimate',
        fill: (bar: Bar) => (bar.noise ? 'var(--noise)' : 'var(--free-fill)'),
        fillOpacity: 0.75,
        insetTop: 3,
        insetBottom: 3,
        title: 'title',
      }),
      plot.ruleY(bars, { y: 'label', x1: 'low', x2: 'high', stroke: 'var(--text)', marker: 'tick' }),
      plot.ruleX([0], { stroke: 'var(--line-strong)' }),
    ],
  })
}

/** What lies along a line. */
interface Along {
  readonly name: string
  readonly isDate: boolean
}

function drawLine(plot: PlotLibrary, width: number, bars: readonly Bar[], { name, isDate }: Along): Element {
  const points = bars
    .filter((bar) => bar.key !== null)
    .map((bar) => ({ ...bar, x: isDate ? new Date(String(bar.key)) : Number(bar.key) }))
  return plot.plot({
    ...chartStyle(width),
    height: 300,
    marginLeft: 56,
    marginRight: 16,
    marginTop: 8,
    marginBottom: 40,
    x: { label: name, labelAnchor: 'center', labelArrow: 'none', ...(isDate && { type: 'utc' as const }) },
    y: { label: null, grid: true, nice: true, zero: true },
    marks: [
      plot.areaY(points, { x: 'x', y1: 'low', y2: 'high', fill: 'var(--free-fill)', fillOpacity: 0.25 }),
      plot.lineY(points, { x: 'x', y: 'estimate', stroke: 'var(--free)', strokeWidth: 1.75 }),
      plot.tip(
        points,
        plot.pointerX({ x: 'x', y: 'estimate', title: 'title', fill: 'var(--surface)', stroke: 'var(--line-strong)' }),
      ),
      plot.ruleY([0], { stroke: 'var(--line-strong)' }),
    ],
  })
}
