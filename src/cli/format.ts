import { visibleCell } from './visible.ts'

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

/** A group's key; a text that reads NULL is told from a value that is missing. */
export const keyText = (key: string | number | boolean | null): string =>
  key === null ? 'NULL' : key === 'NULL' ? "'NULL'" : String(key)

/** Lower and upper end; an end without a bound is shown as such. */
export const interval = ([low, high]: readonly [number | null, number | null], decimals?: number): string =>
  `${low === null ? '-∞' : number(low, decimals)} … ${number(high, decimals)}`

/**
 * The lines of a table whose columns are as wide as they need to be, numbers to the right. `rows` is gone through twice, once
 * for the widths: where there may be a million, it makes them as it goes.
 */
export function* table(
  header: readonly string[],
  rows: Iterable<readonly string[]>,
  right: readonly boolean[] = [],
): Iterable<string> {
  const widths = header.map((cell) => visibleCell(cell).length)
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i]!, visibleCell(cell).length)
  const line = (cells: readonly string[]) =>
    cells
      .map(visibleCell)
      .map((c, i) => (right[i] ? c.padStart(widths[i]!) : c.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()
  yield line(header)
  yield line(widths.map((w) => '─'.repeat(w)))
  for (const row of rows) yield line(row)
}

/** Rows that are made anew whenever somebody goes through them. */
export const rowsOf = <Row>(rows: () => Iterable<Row>): Iterable<Row> => ({
  [Symbol.iterator]: () => rows()[Symbol.iterator](),
})

export const percent = (confidence: number): string => `${number(confidence * 100)}%`

/** For estimates of a model. Whole numbers from a hundred on: more digits would say more than a model knows. */
export function modelDecimals(values: readonly number[]): number {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return largest >= 100 ? 0 : largest >= 1 ? 1 : 3
}

/** 1 row, 2 rows. */
export const counted = (n: number, what: string, several = `${what}s`): string =>
  `${number(n)} ${n === 1 ? what : several}`

/** As much of a receipt as people copy; `ledger verify --receipt` takes it. All of it is in --json. */
export const shortReceipt = (receipt: string): string => `receipt ${receipt.slice(0, receipt.indexOf(':') + 17)}`

/** A text on one line of at most so many characters; the dots say that it goes on. */
export function shortened(text: string, width: number): string {
  const line = [...text.replace(/\s+/g, ' ').trim()]
  return line.length <= width
    ? line.join('')
    : `${line
        .slice(0, Math.max(0, width - 1))
        .join('')
        .trimEnd()}…`
}

/** Rows whose cell in one column is cut to what the others leave of the width. */
export function fitted(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  column: number,
  width: number,
): string[][] {
  const widest = (i: number) =>
    rows.reduce((most, row) => Math.max(most, visibleCell(row[i]!).length), header[i]!.length)
  const others = header.reduce((sum, _, i) => (i === column ? sum : sum + widest(i) + 2), 0)
  const room = Math.max(20, width - others)
  return rows.map((row) => row.map((cell, i) => (i === column ? shortened(cell, room) : cell)))
}

/** Lines longer than the width are broken at spaces; a word that is longer itself stays whole. */
export function wrapped(text: string, width: number): string {
  if (text.length <= width) return text
  const fitting = new RegExp(`^(.{0,${width - 1}}\\S)\\s+(?=\\S)`, 'u')
  return text
    .split('\n')
    .map((line) => {
      let [done, rest] = ['', line]
      while ([...rest].length > width) {
        const [taken, kept] = fitting.exec(rest) ?? []
        if (taken === undefined) break
        done += `${kept}\n`
        rest = rest.slice(taken.length)
      }
      return done + rest
    })
    .join('\n')
}
