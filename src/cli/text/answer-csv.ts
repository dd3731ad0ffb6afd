import type { Answer, ColumnAnswer, Estimate } from '../../index.ts'

/**
 * An answer as CSV: a header, then a line per group. Each aggregate has its estimate and the ends of its interval, all digits of
 * them; what is NULL, unknown or without a bound is empty.
 *
 *     state,count,count_low,count_high
 */
export function* answerCsv(answer: Answer): Iterable<string> {
  const columns = 'answers' in answer ? answer.answers : [answer]
  const keys = answer.keys ?? []
  const likely = columns.some((column) => rowsOf(column).some(({ probability }) => probability !== undefined))
  const ends = ['', '_low', '_high', ...(likely ? ['_probability'] : [])]
  yield line(distinct([...keys, ...columns.flatMap(({ name }) => ends.map((end) => `${name}${end}`))]))
  for (const [i, first] of rowsOf(columns[0]!).entries()) {
    const key = 'key' in first ? keys.map((name) => first.key[name] ?? null) : []
    const numbers = columns.flatMap((column) => numbersOf(rowsOf(column)[i]!).slice(0, ends.length))
    yield line([...key, ...numbers])
  }
}

const rowsOf = (column: ColumnAnswer) => ('groups' in column ? column.groups : [column])

const numbersOf = ({ estimate, interval: [low, high], within, probability }: Estimate) => [
  within === null ? null : estimate,
  low,
  high,
  probability ?? null,
]

/** The second COUNT of a statement is count_2: a name is one column's alone. */
function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name}_${times}`
  })
}

const line = (cells: readonly (string | number | boolean | null)[]): string => cells.map(cell).join(',')

/** Quoted where it must be, as in RFC 4180. */
function cell(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) || (text === '' && value !== null) ? `"${text.replaceAll('"', '""')}"` : text
}
