type Cell = string | number | boolean | null

/** A header and lines, as in RFC 4180. What is null is empty. */
export function* csvLines(names: readonly string[], rows: Iterable<readonly Cell[]>): Iterable<string> {
  yield line(distinct(names))
  for (const row of rows) yield line(row)
}

/** The second COUNT of a statement is count_2: a name is one column's alone. */
function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name}_${times}`
  })
}

const line = (cells: readonly Cell[]): string => cells.map(cell).join(',')

/** Quoted where it must be. */
function cell(value: Cell): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) || (text === '' && value !== null) ? `"${text.replaceAll('"', '""')}"` : text
}
