import type { MarginalTable } from '../../release/index.ts'
import { publishedOf } from '../columns.ts'
import { type ShownAxis, shownAxis } from './groups.ts'
import { brief, escaped, fix, shortened } from './html.ts'

/** Groups along an axis: 36 tables of so many cells stay below 2 MB. */
const mostGroups = 48
/** Cells have room for a number up to so many rows. */
const mostRowsWithNumbers = 24
/** Shades of a count: 0, then so many for ever larger ones. */
const shades = 8

/** A table over two attributes; the one with more values runs to the right. */
export function heatMapOf(table: MarginalTable, raw: boolean): { svg: string; axes: readonly ShownAxis[] } {
  const { values } = publishedOf(table, raw)
  const [first, second] = table.attributes as [(typeof table.attributes)[0], (typeof table.attributes)[0]]
  const at = (i: number, j: number) => Math.max(0, values[i * second.size + j]!)
  const alongFirst = totals(first.size, second.size, at)
  const alongSecond = totals(second.size, first.size, (j, i) => at(i, j))
  const [down, across] = [shownAxis(first, alongFirst, mostGroups), shownAxis(second, alongSecond, mostGroups)]
  const [rows, columns, get] =
    across.groups.length >= down.groups.length ? [down, across, at] : [across, down, (i: number, j: number) => at(j, i)]
  const sums = rows.groups.map((row) =>
    columns.groups.map((column) => {
      let sum = 0
      for (const i of row.codes) for (const j of column.codes) sum += get(i, j)
      return sum
    }),
  )
  return { svg: heatMap(rows, columns, sums), axes: [rows, columns] }
}

const totals = (rows: number, columns: number, at: (i: number, j: number) => number): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => {
    let sum = 0
    for (let j = 0; j < columns; j++) sum += at(i, j)
    return sum
  })

/**
 * Shades for numbers that are not negative; those below `least` have the lightest. `half` of a page's width where another
 * stands beside it.
 */
export function heatMap(
  rows: ShownAxis,
  columns: ShownAxis,
  sums: readonly (readonly number[])[],
  { half = false, least = 1 } = {},
): string {
  const [width, left, letters, mostColumnsWithNumbers] = half ? [375, 95, 13, 6] : [760, 170, 26, 12]
  const top = 6
  const [m, n] = [rows.groups.length, columns.groups.length]
  const [cellWidth, cellHeight] = [Math.min(64, (width - left - 10) / n), m > 24 ? 11 : 18]
  const [right, below] = [left + n * cellWidth, top + m * cellHeight]
  const shadeOf = shadesFrom(least, Math.max(least, ...sums.flat()))
  // One path per shade: a tenth of what a rectangle per cell would take.
  const paths = Array<string>(shades + 1).fill('')
  const numbers: string[] = []
  const shows = n <= mostColumnsWithNumbers && m <= mostRowsWithNumbers
  for (const [i, row] of sums.entries())
    for (const [j, value] of row.entries()) {
      const shade = shadeOf(value)
      const [x, y] = [left + j * cellWidth, top + i * cellHeight]
      paths[shade] += `M${fix(x)} ${fix(y)}h${fix(cellWidth)}v${cellHeight}h-${fix(cellWidth)}z`
      if (shows)
        numbers.push(
          `<text class="${shade > 4 ? 'on' : ''}" x="${fix(x + cellWidth / 2)}" y="${fix(y + cellHeight / 2 + 4)}" text-anchor="middle">${brief(value)}</text>`,
        )
    }
  // Slanted labels reach down as far as the longest of them is long, by about 4.2 pixels for each letter.
  const longest = Math.max(...columns.groups.map(({ label }) => Math.min(16, label.length)))
  const bottom = 18 + 4.2 * longest
  const everyRow = Math.ceil(10 / cellHeight)
  const everyColumn = Math.max(1, Math.ceil(14 / cellWidth))
  const labels = [
    ...rows.groups.map(({ label }, i) =>
      i % everyRow === 0
        ? `<text x="${left - 8}" y="${fix(top + (i + 0.5) * cellHeight + 4)}" text-anchor="end">${escaped(shortened(label, letters))}</text>`
        : '',
    ),
    ...columns.groups.map(({ label }, j) =>
      j % everyColumn === 0
        ? `<text text-anchor="end" transform="translate(${fix(left + (j + 0.5) * cellWidth + 4)} ${fix(below + 12)}) rotate(-45)">${escaped(shortened(label, 16))}</text>`
        : '',
    ),
  ]
  const shaded = paths.map((d, shade) => (d === '' ? '' : `<path class="h${shade}" d="${d}"/>`))
  const frame = `<path class="frame" d="M${left} ${top}H${fix(right)}V${fix(below)}H${left}z"/>`
  return `<svg viewBox="0 0 ${width} ${fix(below + bottom)}" role="img">${shaded.join('')}${frame}${numbers.join('')}${labels.join('')}</svg>`
}

/** Shade 0 is for what rounds to less than the least; the others divide the way from there to the most by equal factors. */
function shadesFrom(least: number, most: number): (value: number) => number {
  const logs = Math.log(Math.max(2, most / least))
  return (value) =>
    value < least / 2 ? 0 : 1 + Math.min(shades - 1, Math.floor((shades * Math.log(Math.max(1, value / least))) / logs))
}
