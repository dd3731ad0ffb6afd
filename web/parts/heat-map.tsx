import { Chart, chartStyle, type PlotLibrary } from './chart.tsx'
import { axisLabel } from './label.ts'
import { exactText, plusMinus } from './number.ts'

/** One cell of a table with two keys. */
export interface HeatCell {
  readonly x: string
  readonly y: string
  readonly value: number
  readonly within: number | null
  /** The interval holds 0. */
  readonly noise: boolean
}
interface HeatMapProps {
  readonly label: string
  readonly cells: readonly HeatCell[]
  readonly xName: string
  readonly yName: string
  /** Without axes and titles: one of many. */
  readonly small?: boolean
}

/** Two keys: the darker, the more; cells that noise alone could have made are hatched. */
export function HeatMap({ label, cells, xName, yName, small = false }: HeatMapProps) {
  return (
    <>
      {!small && (
        <p class="small soft">
          {yName} down, {xName} across
        </p>
      )}
      <Chart
        label={label}
        height={small ? 96 : 320}
        given={[cells, small]}
        draw={(plot, width) => draw(plot, width, { cells, small })}
        table={small ? undefined : <CellsTable cells={cells} names={[yName, xName]} />}
      />
    </>
  )
}

/** Cells beyond this are for the files. */
const mostCells = 600

/** The cells of a picture as rows. */
export const CellsTable = ({
  cells,
  names,
}: {
  readonly cells: readonly HeatCell[]
  readonly names: readonly string[]
}) => (
  <table class="plain">
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name}>{name}</th>
        ))}
        <th class="numeric">count</th>
      </tr>
    </thead>
    <tbody>
      {cells.slice(0, mostCells).map(({ x, y, value, within }) => (
        <tr key={`${y} ${x}`}>
          {names.length > 1 && <td>{y}</td>}
          <td>{x}</td>
          <td class="numeric">{within === null ? exactText(value) : plusMinus(value, within)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const unique = (values: readonly string[]) => [...new Set(values)]

/** Room for the longest name of an axis, in pixels. */
const room = (names: readonly string[]) => Math.min(160, 16 + 7 * Math.max(...names.map((name) => name.length), 0))

function draw(
  plot: PlotLibrary,
  width: number,
  { cells, small }: { readonly cells: readonly HeatCell[]; readonly small: boolean },
): Element {
  const [xs, ys] = [unique(cells.map((c) => c.x)), unique(cells.map((c) => c.y))]
  const left = small ? 0 : room(ys)
  const across = (width - left) / xs.length
  const tilted = !small && across < room(xs) - 8
  const rowHeight = small ? 96 / ys.length : Math.max(6, Math.min(32, 640 / ys.length))
  const every = (names: readonly string[], size: number) =>
    names.filter((_, i) => i % Math.max(1, Math.ceil(14 / size)) === 0)
  const bottom = small ? 0 : tilted ? room(xs) : 28
  const texts = !small && across > 56 && rowHeight >= 20
  const highest = Math.max(...cells.map((c) => c.value), 1)
  const shareOf = (c: HeatCell) => Math.sqrt(Math.max(0, c.value) / highest)
  return plot.plot({
    ...chartStyle(width),
    height: rowHeight * ys.length + bottom + (small ? 0 : 8),
    marginLeft: left,
    marginRight: 0,
    marginTop: small ? 0 : 8,
    marginBottom: bottom,
    padding: ys.length > 40 || xs.length > 60 || small ? 0 : 0.06,
    x: {
      round: !small,
      domain: xs,
      label: null,
      axis: small ? null : 'bottom',
      tickRotate: tilted ? -50 : 0,
      tickSize: 0,
      tickFormat: axisLabel,
      ticks: every(xs, across),
    },
    y: {
      round: !small,
      domain: ys,
      label: null,
      axis: small ? null : 'left',
      tickSize: 0,
      tickFormat: axisLabel,
      ticks: every(ys, rowHeight),
    },
    marks: [
      plot.cell(cells, {
        x: 'x',
        y: 'y',
        fill: { value: (c: HeatCell) => mixed(shareOf(c)), scale: null },
        title: (c: HeatCell) => `${c.x}, ${c.y}: ${plusMinus(c.value, c.within)}`,
      }),
      plot.cell(
        cells.filter((c) => c.noise),
        { x: 'x', y: 'y', fill: 'url(#hatching)', pointerEvents: 'none' },
      ),
      ...(texts
        ? [
            plot.text(cells, {
              x: 'x',
              y: 'y',
              text: (c: HeatCell) => plusMinus(c.value, c.within).split(' ')[0]!,
              fill: { value: (c: HeatCell) => textOn(shareOf(c)), scale: null },
              pointerEvents: 'none',
            }),
          ]
        : []),
    ],
  })
}

/** What is read best on a share of the high colour: the light pair of colours turns at 0.76, the dark one at 0.52. */
const textOn = (t: number): string => (t > 0.76 ? 'var(--surface)' : t > 0.52 ? 'var(--on-middle-heat)' : 'var(--text)')

/** Between two variables of the style sheet, so that the colours follow light and dark. */
const mixed = (t: number): string => `color-mix(in oklab, var(--heat-high) ${(100 * t).toFixed(1)}%, var(--heat-low))`
