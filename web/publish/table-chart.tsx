import { useMemo } from 'preact/hooks'
import type { JobTable } from '../../src/client/index.ts'
import { Chart, chartStyle, type PlotLibrary } from '../parts/chart.tsx'
import { CellsTable, type HeatCell, HeatMap } from '../parts/heat-map.tsx'
import { plusMinus } from '../parts/number.ts'

/** One attribute: columns with whiskers; two: a heat map. Small ones have no axes. */
export function TableChart({ table, small = false }: { readonly table: JobTable; readonly small?: boolean }) {
  const { attributes } = table
  const label = `Counts by ${attributes.map((a) => a.name).join(' and ')}`
  const cells = useMemo(() => cellsOf(table), [table])
  if (attributes.length === 2)
    return <HeatMap label={label} cells={cells} yName={attributes[0]!.name} xName={attributes[1]!.name} small={small} />
  if (attributes.length > 2) return <p class="soft small">{label}: see the files.</p>
  return (
    <Chart
      label={label}
      height={small ? 96 : 280}
      given={[cells, small]}
      draw={(plot, width) => draw(plot, width, cells, small, table.within)}
      table={small ? undefined : <CellsTable cells={cells} names={[attributes[0]!.name]} />}
    />
  )
}

/** The last attribute runs fastest. */
function cellsOf({ attributes, counts, within }: JobTable): HeatCell[] {
  const across = attributes.at(-1)!.labels
  const down = attributes.length === 2 ? attributes[0]!.labels : ['']
  return counts.map((value, i) => ({
    x: across[i % across.length] ?? 'missing',
    y: down[Math.floor(i / across.length)] ?? 'missing',
    value,
    within,
    noise: within !== null && value - within <= 0,
  }))
}

function draw(
  plot: PlotLibrary,
  width: number,
  cells: readonly HeatCell[],
  small: boolean,
  within: number | null,
): Element {
  const names = cells.map((c) => c.x)
  const each = (width - (small ? 0 : 56)) / names.length
  const longest = Math.max(...names.map((name) => name.length))
  const tilted = !small && each < 7 * longest
  const shown = names.filter((_, i) => i % Math.max(1, Math.ceil((tilted ? 14 : 7 * longest + 8) / each)) === 0)
  return plot.plot({
    ...chartStyle(width),
    height: small ? 96 : 300,
    marginLeft: small ? 0 : 56,
    marginRight: 0,
    marginTop: small ? 2 : 16,
    marginBottom: small ? 0 : tilted ? Math.min(120, 16 + 6 * longest) : 28,
    padding: each < 5 ? 0 : 0.15,
    x: {
      domain: names,
      label: null,
      axis: small ? null : 'bottom',
      ticks: shown,
      tickRotate: tilted ? -50 : 0,
      tickSize: 0,
    },
    y: { label: null, axis: small ? null : 'left', grid: !small, nice: true },
    marks: [
      plot.barY(cells, {
        x: 'x',
        y: 'value',
        fill: (c: HeatCell) => (c.noise ? 'var(--noise)' : 'var(--free-fill)'),
        fillOpacity: 0.75,
        title: (c: HeatCell) => `${c.x}: ${plusMinus(c.value, c.within)}`,
      }),
      ...(within !== null && !small && each > 6
        ? [
            plot.ruleX(cells, {
              x: 'x',
              y1: (c: HeatCell) => Math.max(0, c.value - within),
              y2: (c: HeatCell) => c.value + within,
              stroke: 'var(--text)',
            }),
          ]
        : []),
      plot.ruleY([0], { stroke: 'var(--line-strong)' }),
    ],
  })
}
