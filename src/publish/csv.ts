import { labelsOf, numberColumns } from './columns.ts'
import type { Publication, PublishedTable } from './publication.ts'

/** RFC 4180: one line per cell. NULL is an empty field, an empty text is "". Labels stand as they are, formulas too. */
export function csvOf(table: PublishedTable, publication: Pick<Publication, 'raw'>): string {
  const { attributes, counts } = table
  const columns = numberColumns(table, publication)
  const labels = labelsOf(attributes, field)
  const lines = [[...attributes.map(({ name }) => field(name)), ...columns.map(({ name }) => name)].join(',')]
  for (let cell = 0; cell < counts.length; cell++)
    lines.push([...labels(cell), ...columns.map(({ at }) => at(cell) ?? '')].join(','))
  return `${lines.join('\n')}\n`
}

const field = (text: string | null): string => {
  if (text === null) return ''
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
