import { exactText } from '../../parts/number.ts'
import { type Answer, columnsOf, isGrouped, keyText } from '../columns.ts'
import { keyNames, rowsOf } from './groups.ts'

const end = (value: number | null) => (value === null ? '' : exactText(value).replaceAll(',', ''))
const estimateCells = ({
  estimate,
  interval,
}: {
  estimate: number | null
  interval: readonly [number | null, number | null]
}) => [end(estimate), end(interval[0]), end(interval[1])]

/** An answer as lines with tabs, all digits: for a spreadsheet. */
export function answerText(answer: Answer): string {
  const columns = columnsOf(answer)
  const grouped = columns.filter(isGrouped)
  const titles = columns.flatMap(({ name }) => [name, `${name}_low`, `${name}_high`])
  if (grouped.length === 0)
    return [titles, columns.flatMap((column) => (isGrouped(column) ? [] : estimateCells(column)))]
      .map((line) => line.join('\t'))
      .join('\n')
  const names = keyNames(grouped, answer.keys)
  const lines = rowsOf(names, grouped).map(({ keys, cells }) => [...keys.map(keyText), ...cells.flatMap(estimateCells)])
  return [[...names, ...titles], ...lines].map((line) => line.join('\t')).join('\n')
}
