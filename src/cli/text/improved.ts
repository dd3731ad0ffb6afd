import type { ColumnAnswer, Estimate, Improvement, ModelColumn } from '../../index.ts'
import { fitted, modelDecimals, number, table } from '../format.ts'

/** A line per column of a statement. */
export function improvedText(all: readonly Improvement[], width: number): Iterable<string> {
  const rows = all.flatMap(({ number: row, statement, before, now, byModel }) =>
    now.map((column, i) => [
      i === 0 ? String(row) : '',
      i === 0 ? askedText(statement) : column.name,
      toldText(before[i]!),
      toldText(column),
      ...(byModel ? [modelText(byModel[i]!)] : []),
    ]),
  )
  const byModel = all.some(hasErrors) ? 'by the model · off by' : 'by the model'
  const last = all.some((each) => each.byModel) ? [byModel] : []
  const header = ['row', 'what', 'by itself, 95% sure', 'now, 95% sure', ...last]
  return table(header, fitted(header, rows, 1, width), [true, false, true, true, true])
}

/** Whether the model says how far off it is likely to be. */
export const hasErrors = ({ byModel }: Improvement): boolean =>
  (byModel ?? []).some((column) =>
    'groups' in column ? column.groups.some(({ error }) => error !== undefined) : column.error !== undefined,
  )

/** A statement without what most of them have in common: there is only one table, and most are counts. */
const askedText = (statement: string): string =>
  statement
    .replace(/^\s*SELECT\s+/i, '')
    .replace(/\s+FROM\s+("[^"]*"|\w+)/i, '')
    .replace(/^COUNT\(\*\)\s+(?=WHERE\b)/i, '')

/** An estimate and its error; of groups their number and the middle one's. */
function modelText(column: ModelColumn): string {
  const off = (error: number | undefined) => (error === undefined ? '' : ` · ${width(error)}`)
  if (!('groups' in column)) {
    const { estimate, error } = column
    if (estimate === null) return 'NULL'
    return error === undefined ? number(estimate, modelDecimals([estimate])) : `${told(estimate, error)}${off(error)}`
  }
  const errors = column.groups.flatMap(({ error }) => (error === undefined ? [] : [error])).sort((a, b) => a - b)
  return `${number(column.groups.length)} groups${off(errors[Math.floor(errors.length / 2)])}`
}

/** A number and its half-width; of groups how many are known, and the half-width of the middle one of these. */
function toldText(column: ColumnAnswer): string {
  if (!('groups' in column)) {
    const { estimate, within } = column
    return estimate === null || within === null ? 'unknown' : `${told(estimate, within)} ±${width(within)}`
  }
  const widths = column.groups.flatMap(({ estimate, within }: Estimate) =>
    estimate === null || within === null ? [] : [within],
  )
  const all = number(column.groups.length)
  if (widths.length === 0) return `${all} groups, unknown`
  const middle = widths.sort((a, b) => a - b)[Math.floor(widths.length / 2)]!
  const known = widths.length === column.groups.length ? all : `${number(widths.length)} of ${all}`
  return `${known} groups ±${width(middle)}`
}

/** How far something may be off: three digits say enough. */
const width = (value: number): string => (value === Infinity ? '∞' : number(Number(value.toPrecision(3))))

/** A number, to the second digit of what it may be off by. */
function told(value: number, within: number): string {
  if (within === 0 || !Number.isFinite(within)) return number(Number(value.toPrecision(6)))
  return number(value, Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(within)))))
}
