/** Numbers as people read them: never more digits than the interval supports. */

const grouped = (digits: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** A number with so many decimals and separators between thousands; a proper minus sign. */
const fixed = (value: number, decimals: number): string =>
  grouped(Math.min(Math.max(decimals, 0), 12))
    .format(Object.is(value, -0) ? 0 : value)
    .replace('-', '−')

const powerOf = (value: number): number => Math.floor(Math.log10(value) + 1e-12)

/** The last decimal place that an uncertainty of ±within leaves standing: 75 leaves the tens, 150 the tens, 0.08 the hundredths. */
function placeOf(within: number): number {
  const power = powerOf(within)
  return within / 10 ** power < 3.55 ? power - 1 : power
}

/** To a place, 10^place; counts keep whole numbers. */
const roundTo = (value: number, place: number): string => {
  const step = 10 ** place
  return fixed(place >= 0 ? Math.round(value / step) * step : value, -place)
}

/** An estimate with the digits that its half-width supports: 18,571 ± 75 is 18,570. */
export function estimateText(value: number | null, within: number | null): string {
  if (value === null) return 'unknown'
  if (within === null || within === 0 || !Number.isFinite(within)) return exactText(value)
  const place = placeOf(within)
  return roundTo(value, Number.isInteger(value) ? Math.max(place, 0) : place)
}

/** A half-width to two digits, rounded up so that it promises no more than it keeps. */
export function withinText(within: number | null): string {
  if (within === null || !Number.isFinite(within)) return 'any distance'
  if (within === 0) return '0'
  const step = 10 ** (powerOf(within) - 1)
  // What is within one part in 10^8 of the shorter text is meant to be it: half-widths carry rounding errors.
  const up = Math.ceil(within / step - 1e-8) * step
  return fixed(up, 1 - powerOf(within)).replace(/\.0$/, '')
}

/** The ends of an interval, away from each other to the place that its half-width leaves standing. */
const endsText = (low: number, high: number, within: number): [string, string] => {
  const step = 10 ** placeOf(within)
  const at = (value: number) => roundTo(value, placeOf(within))
  return [at(Math.floor(low / step + 1e-8) * step), at(Math.ceil(high / step - 1e-8) * step)]
}

/**
 * An estimate and what is known of it. Where the domain cuts its interval off, ± would promise the wrong thing: then the ends are told
 * and, of an estimate at one of them, only the other.
 */
export function answerTexts(
  estimate: number | null,
  within: number | null,
  [low, high]: readonly [number | null, number | null],
): { readonly value: string; readonly around: string } {
  const value = estimateText(estimate, within)
  if (within === 0) return { value, around: 'exactly' }
  const plain = { value, around: `± ${withinText(within)}` }
  if (estimate === null || within === null || low === null || high === null || !(high > low)) return plain
  const [below, above] = [estimate - low, high - estimate]
  if (Math.min(below, above) > 0.9 * Math.max(below, above)) return plain
  const [least, most] = endsText(low, high, within)
  const around = `${least} … ${most}`
  if (below <= 0) return { value: `at most ${most}`, around }
  return above <= 0 ? { value: `at least ${least}`, around } : { value, around }
}

/** Both, as 18,570 ± 75. */
export const plusMinus = (value: number | null, within: number | null): string =>
  within === 0 || value === null
    ? estimateText(value, within)
    : `${estimateText(value, within)} ± ${withinText(within)}`

/** A number as it is, to ten digits: for copying and for the title of a shorter text. */
export function exactText(value: number): string {
  const digits = value === 0 ? 0 : Math.min(Math.max(9 - powerOf(Math.abs(value)), 0), 8)
  return fixed(Number(value.toFixed(digits)), digits)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}

/** A privacy cost: four digits at most, and never 0 for what is not free. */
export function costText(epsilon: number): string {
  if (epsilon === 0) return '0'
  if (epsilon < 0.00001) return '< 0.00001'
  const rounded = Number(epsilon.toPrecision(3))
  return fixed(rounded, Math.max(2, Math.min(5, 2 - powerOf(rounded))))
}

/** A share as a percentage: 97%, 0.4%, more than 99.9%. */
export function percentText(share: number): string {
  if (share > 0.999 && share < 1) return '> 99.9%'
  if (share > 0 && share < 0.001) return '< 0.1%'
  const percent = 100 * share
  return `${fixed(percent, percent < 10 || (percent > 99 && percent < 100) ? 1 : 0).replace(/\.0$/, '')}%`
}

/** A count of things that is known exactly: cells, rows, tables. */
export const countText = (count: number): string => fixed(count, 0)

/** Many cells in few letters: 52K. */
export function roughCount(count: number): string {
  if (count < 1000) return countText(count)
  return new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 2 }).format(count)
}

/** With a noun: 1 cell, 4 cells. */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${countText(count)} ${count === 1 ? noun : nouns}`

/** The next "nice" half-width near a value: two digits. */
export function niceWidth(value: number): number {
  const step = 10 ** (powerOf(value) - 1)
  return Number((Math.round(value / step) * step).toPrecision(2))
}
