/** A line of a chart; points without a finite place (0 on a logarithmic axis) are left out. */
interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Axis {
  readonly label: string
  readonly log?: boolean
  /** Begin near the data, not at 0. */
  readonly close?: boolean
}

export interface Panel {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
}

/** One panel for each title among the points and one line for each name, in the order in which they come. */
export function panelsOf<P>(
  points: readonly P[],
  read: (point: P) => { title: string; name: string; at: readonly [x: number, y: number] },
  axes: Pick<Panel, 'x' | 'y'>,
): Panel[] {
  const all = points.map(read)
  const names = [...new Set(all.map(({ name }) => name))]
  return [...Map.groupBy(all, ({ title }) => title)].map(([title, own]) => ({
    title,
    ...axes,
    series: names.map((name) => ({ name, points: own.filter((p) => p.name === name).map(({ at }) => at) })),
  }))
}

const [width, height] = [420, 300]
const margin = { left: 62, right: 14, top: 30, bottom: 44 }
/** Of a row of the legend, above all panels. */
const [legendHeight, legendRow] = [28, 18]
/** Told apart also by those who see few colours (Okabe and Ito). */
const colors = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#444444']
const dashes = ['none', '6 3', '2 2', '8 3 2 3', '4 4', '1 3', '10 4']

/** Panels side by side, two to a row, under one legend: an SVG that needs nothing but itself. */
export function chart(title: string, panels: readonly Panel[]): string {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))]
  const across = Math.min(2, panels.length)
  const down = Math.ceil(panels.length / across)
  const { entries, rows } = legend(names, across * width)
  const above = legendHeight + (rows - 1) * legendRow
  const size = `0 0 ${across * width} ${above + down * height}`
  const drawn = panels.map((panel, i) => {
    const [left, top] = [(i % across) * width, above + Math.floor(i / across) * height]
    return `<g transform="translate(${left} ${top})">\n${draw(panel, names)}\n</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${size}" width="${across * width}" role="img" font-family="system-ui, sans-serif" font-size="11" fill="#222">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" fill="#fff"/>
${entries}
${drawn.join('\n')}
</svg>
`
}

/** As many to a row as there is room for. */
function legend(names: readonly string[], room: number): { entries: string; rows: number } {
  let [x, row] = [margin.left, 0]
  const entries = names.map((name, i) => {
    const needed = 48 + 6.2 * [...name].length
    if (x > margin.left && x + needed > room) [x, row] = [margin.left, row + 1]
    const y = 16 + row * legendRow
    const line = `<line x1="${fix(x)}" x2="${fix(x + 24)}" y1="${y}" y2="${y}" ${stroke(i)}/>`
    const text = `<text x="${fix(x + 30)}" y="${y + 4}">${escaped(name)}</text>`
    x += needed
    return `${line}${text}`
  })
  return { entries: entries.join('\n'), rows: row + 1 }
}

/** From the eighth line on colours come again, with other dashes. */
const stroke = (i: number): string =>
  `stroke="${colors[i % colors.length]}" stroke-dasharray="${dashes[(i + Math.floor(i / colors.length)) % dashes.length]}" stroke-width="1.8" fill="none"`

function draw({ title, x, y, series }: Panel, names: readonly string[]): string {
  const points = series.flatMap((s) => s.points)
  const across = scaleOf(
    x,
    points.map(([at]) => at),
    margin.left,
    width - margin.right,
  )
  const up = scaleOf(
    y,
    points.map(([, at]) => at),
    height - margin.bottom,
    margin.top,
  )
  const [low, high] = [height - margin.bottom, margin.top]
  const lines = series.map(({ name, points }) => {
    const path = points
      .filter(([a, b]) => across.shows(a) && up.shows(b))
      .map(([a, b]) => `${fix(across.at(a))},${fix(up.at(b))}`)
    return `<polyline points="${path.join(' ')}" ${stroke(names.indexOf(name))}/>`
  })
  return [
    `<text x="${margin.left}" y="18" font-size="13" font-weight="600">${escaped(title)}</text>`,
    ...up.ticks.map(
      (v) =>
        `<line x1="${margin.left}" x2="${width - margin.right}" y1="${fix(up.at(v))}" y2="${fix(up.at(v))}" stroke="#e4e4e4"/><text x="${margin.left - 6}" y="${fix(up.at(v) + 4)}" text-anchor="end">${tick(v)}</text>`,
    ),
    ...across.ticks.map(
      (v) =>
        `<line x1="${fix(across.at(v))}" x2="${fix(across.at(v))}" y1="${low}" y2="${low + 4}" stroke="#888"/><text x="${fix(across.at(v))}" y="${low + 16}" text-anchor="middle">${tick(v)}</text>`,
    ),
    `<path d="M${margin.left} ${high}V${low}H${width - margin.right}" stroke="#888" fill="none"/>`,
    `<text x="${(margin.left + width - margin.right) / 2}" y="${height - 10}" text-anchor="middle">${escaped(x.label)}</text>`,
    `<text transform="translate(14 ${(low + high) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>`,
    ...lines,
  ].join('\n')
}

interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
  /** Has the value a place? */
  shows(value: number): boolean
}

/** From values to pixels; the ends are round numbers beyond the data's. */
function scaleOf({ log, close }: Axis, values: readonly number[], from: number, to: number): Scale {
  const shows = (value: number) => Number.isFinite(value) && (!log || value > 0)
  const shown = values.filter(shows)
  const [least, most] = shown.length === 0 ? [1, 10] : [Math.min(...shown), Math.max(...shown)]
  const ticks = log ? decades(least, most) : evenly(close ? least : Math.min(0, least), most)
  const place = log ? Math.log10 : (value: number) => value
  const [start, end] = [place(ticks[0]!), place(ticks.at(-1)!)]
  return { ticks, shows, at: (value) => from + ((place(value) - start) / (end - start)) * (to - from) }
}

/** Powers of ten, at most eight of them. */
function decades(least: number, most: number): number[] {
  const low = Math.floor(Math.log10(least))
  const high = Math.max(low + 1, Math.ceil(Math.log10(most)))
  const step = Math.ceil((high - low) / 7)
  return Array.from({ length: Math.ceil((high - low) / step) + 1 }, (_, i) => 10 ** (low + i * step))
}

/** Four to nine multiples of 1, 2 or 5 times a power of ten. */
function evenly(least: number, most: number): number[] {
  const span = most > least ? most - least : 1
  const power = 10 ** Math.floor(Math.log10(span / 4))
  const step = power * (span / power / 4 >= 5 ? 5 : span / power / 4 >= 2 ? 2 : 1)
  const first = Math.floor(least / step)
  const last = Math.max(first + 1, Math.ceil((least + span) / step - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

function tick(value: number): string {
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5))
    return value.toExponential(0).replace('e+', 'e')
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 })
}

const fix = (value: number): string => value.toFixed(1)
const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
