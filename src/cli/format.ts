/**
 * 12,345 or 0.1234: digits grouped, and at most six after the point, or just as many as are asked for. (The locale's own
 * formatting takes 30 ms to load.)
 */
export function number(value: number | null, decimals?: number): string {
  if (value === null) return '∞'
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return String(value)
  const fixed = value.toFixed(decimals ?? (Math.abs(value) >= 1000 ? 2 : 6))
  const [whole, fraction = ''] = (Number(fixed) === 0 ? fixed.replace('-', '') : fixed).split('.')
  const digits = decimals === undefined ? fraction.replace(/0+$/, '') : fraction
  return `${whole!.replace(/\B(?=(\d{3})+$)/g, ',')}${digits && `.${digits}`}`
}

/** Lower and upper end; an end without a bound is shown as such. */
export const interval = ([low, high]: readonly [number | null, number | null], decimals?: number): string =>
  `${low === null ? '-∞' : number(low, decimals)} … ${number(high, decimals)}`

/** Columns as wide as they need to be, numbers to the right. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly boolean[] = [],
): string {
  const widths = header.map((h, i) => Math.max(h.length, ...rows.map((r) => r[i]!.length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((c, i) => (right[i] ? c.padStart(widths[i]!) : c.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()
  return [line(header), line(widths.map((w) => '─'.repeat(w))), ...rows.map(line)].join('\n')
}

export const percent = (confidence: number): string => `${number(confidence * 100)}%`

/** 1 row, 2 rows. */
export const counted = (n: number, what: string): string => `${number(n)} ${what}${n === 1 ? '' : 's'}`
