import type { MarginalTable, MarginalTables } from '../release/index.ts'
import { labelsOf, numberColumns } from './columns.ts'

/** Lines that are put together at a time: a text of all of them may be longer than texts can be. */
const batch = 10_000

/** RFC 4180: one line per cell. NULL is an empty field, an empty text is "". Labels stand as they are, formulas too. */
export function* csvOf(
  table: MarginalTable,
  release: Pick<MarginalTables, 'raw' | 'neighbours' | 'total'>,
): Generator<string> {
  const { attributes, counts } = table
  const columns = numberColumns(table, release)
  const labels = labelsOf(attributes, field)
  yield `${[...attributes.map(({ name }) => field(name)), ...columns.map(({ name }) => name)].join(',')}\n`
  for (let from = 0; from < counts.length; from += batch) {
    let lines = ''
    for (let cell = from; cell < Math.min(from + batch, counts.length); cell++)
      lines += `${[...labels(cell), ...columns.map(({ at }) => at(cell) ?? '')].join(',')}\n`
    yield lines
  }
}

/** One field, quoted where it must be. */
export const field = (text: string | null): string => {
  if (text === null) return ''
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
