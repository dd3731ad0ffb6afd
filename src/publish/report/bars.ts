import type { MarginalTable } from '../../release/index.ts'
import { publishedOf } from '../columns.ts'
import { type ShownAxis, shownAxis } from './groups.ts'
import { brief, escaped, fix, shortened, words } from './html.ts'
import { ticksUpTo } from './ticks.ts'

/** So many bars at most; up to so many lie, with room for their labels. */
export const mostBars = 120
const mostLying = 24
const width = 760

/** A table over one attribute: bars as long as the counts, with lines as long as their 95% intervals. */
export function barsOf(table: MarginalTable, raw: boolean): { svg: string; axis: ShownAxis } {
  const [attribute] = table.attributes
  const { values, middle, within } = publishedOf(table, raw)
  const axis = shownAxis(attribute!, values, mostBars)
  const bars = axis.groups.map(({ label, codes }): Bar => {
    const value = codes.reduce((sum, code) => sum + values[code]!, 0)
    // Of a sum of several the interval is not known here.
    const at = middle[codes[0]!]!
    const interval = codes.length === 1 ? ([Math.max(0, at - within), Math.max(0, at + within)] as const) : undefined
    return { label, value: Math.max(0, value), interval }
  })
  return { svg: barChart(bars), axis }
}

/** One bar, and the line across it where there is an interval. */
interface Bar {
  readonly label: string
  readonly value: number
  readonly interval?: readonly [number, number]
}

/** Bars that lie, with their labels beside them, or stand where there are many. */
export const barChart = (bars: readonly Bar[]): string => (bars.length <= mostLying ? lying(bars) : standing(bars))

const highest = (bars: readonly Bar[]): number =>
  Math.max(1, ...bars.map(({ value, interval }) => interval?.[1] ?? value))
/** Whole numbers; those of an interval are rounded outwards. */
const titleOf = ({ label, value, interval }: Bar): string => {
  const range = interval ? ` (95%: ${words(Math.floor(interval[0]))} … ${words(Math.ceil(interval[1]))})` : ''
  return `<title>${escaped(label)}: ${words(Math.round(value))}${range}</title>`
}

function lying(bars: readonly Bar[]): string {
  const [left, right, row] = [170, 70, 20]
  const height = bars.length * row + 26
  const ticks = ticksUpTo(highest(bars), 5)
  const x = (value: number) => left + (value / ticks.at(-1)!) * (width - left - right)
  const drawn = bars.map((bar, i) => {
    const [y, middle] = [i * row + 3, i * row + row / 2]
    const { label, value, interval } = bar
    const after = Math.max(x(value), interval ? x(interval[1]) : 0) + 6
    return [
      `<g>${titleOf(bar)}`,
      `<text x="${left - 8}" y="${middle + 4}" text-anchor="end">${escaped(shortened(label, 26))}</text>`,
      `<rect class="bar" x="${left}" y="${y}" width="${fix(x(value) - left)}" height="${row - 6}"/>`,
      interval ? whisker(`M${fix(x(interval[0]))} ${middle}H${fix(x(interval[1]))}`) : '',
      `<text class="soft" x="${fix(after)}" y="${middle + 4}">${brief(value)}</text></g>`,
    ].join('')
  })
  const grid = ticks.map(
    (t) =>
      `<path class="grid" d="M${fix(x(t))} 0V${height - 22}"/><text class="soft" x="${fix(x(t))}" y="${height - 6}" text-anchor="middle">${brief(t)}</text>`,
  )
  return svg(height, [...grid, ...drawn])
}

function standing(bars: readonly Bar[]): string {
  const [left, top, height] = [52, 8, 220]
  const bottom = 18 + 4.6 * Math.max(...bars.map(({ label }) => Math.min(12, label.length)))
  const ticks = ticksUpTo(highest(bars), 4)
  const y = (value: number) => top + (1 - value / ticks.at(-1)!) * height
  const step = (width - left - 8) / bars.length
  const every = Math.ceil(bars.length / 30)
  const drawn = bars.map((bar, i) => {
    const { label, value, interval } = bar
    const [from, middle] = [left + i * step, left + (i + 0.5) * step]
    const text =
      i % every === 0
        ? `<text class="soft" text-anchor="end" transform="translate(${fix(middle + 3)} ${top + height + 12}) rotate(-50)">${escaped(shortened(label, 12))}</text>`
        : ''
    return [
      `<g>${titleOf(bar)}`,
      `<rect class="bar" x="${fix(from + step * 0.1)}" y="${fix(y(value))}" width="${fix(step * 0.8)}" height="${fix(top + height - y(value))}"/>`,
      interval ? whisker(`M${fix(middle)} ${fix(y(interval[0]))}V${fix(y(interval[1]))}`) : '',
      `${text}</g>`,
    ].join('')
  })
  const grid = ticks.map(
    (t) =>
      `<path class="grid" d="M${left} ${fix(y(t))}H${width - 8}"/><text class="soft" x="${left - 6}" y="${fix(y(t) + 4)}" text-anchor="end">${brief(t)}</text>`,
  )
  return svg(top + height + bottom, [...grid, ...drawn])
}

const whisker = (d: string): string => `<path class="whisker" d="${d}"/>`
const svg = (height: number, parts: readonly string[]): string =>
  `<svg viewBox="0 0 ${width} ${fix(height)}" role="img">${parts.join('')}</svg>`
