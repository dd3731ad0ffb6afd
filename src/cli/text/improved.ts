import type { ColumnAnswer, Estimate, Improvement } from '../../index.ts'
import { fitted, number, table } from '../format.ts'

/** A line per column of a statement. */
export function improvedText(all: readonly Improvement[], width: number): Iterable<string> {
  const rows = all.flatMap(({ number: row, statement, before, now }) =>
    now.map((column, i) => [
      i === 0 ? String(row) : '',
      i === 0 ? statement : column.name,
      toldText(before[i]!),
      toldText(column),
    ]),
  )
  const header = ['row', 'what', 'before, 95% sure', 'now, 95% sure']
  return table(header, fitted(header, rows, 1, width), [true, false, true, true])
}

/** A number and its half-width; of groups their number and the middle one's. */
function toldText(column: ColumnAnswer): string {
  if (!('groups' in column)) return `${short(column.estimate)} ±${short(column.within)}`
  const widths = column.groups.map(({ within }: Estimate) => within ?? Infinity).sort((a, b) => a - b)
  return `${number(widths.length)} groups ±${short(widths[Math.floor(widths.length / 2)] ?? null)}`
}
const short = (value: number | null): string =>
  value === null ? 'NULL' : value === Infinity ? '∞' : number(Number(value.toPrecision(6)))
