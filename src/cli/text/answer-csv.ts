import type { Answer, ColumnAnswer, Estimate, ModelAnswer, ModelColumn } from '../../index.ts'
import { csvLines } from '../csv.ts'

/**
 * An answer as CSV: a header, then a line per group. Each aggregate has its estimate and the ends of its interval, all digits of
 * them; what is NULL, unknown or without a bound is empty.
 *
 *     state,count,count_low,count_high
 */
export function answerCsv(answer: Answer): Iterable<string> {
  const columns = 'answers' in answer ? answer.answers : [answer]
  const likely = columns.some((column) => rowsOf(column).some(({ probability }) => probability !== undefined))
  const first = columns.some((column) => rowsOf(column).some(({ probabilityFirst }) => probabilityFirst !== undefined))
  const ends = ['', '_low', '_high', ...(likely ? ['_probability'] : []), ...(first ? ['_probability_first'] : [])]
  return columnsCsv(answer.keys ?? [], columns, ends, (of) => [
    ...numbersOf(of),
    ...(likely ? [of.probability ?? null] : []),
    ...(first ? [of.probabilityFirst ?? null] : []),
  ])
}

/** The same for a model's answer: its estimates and, if available, the errors that it expects. */
export function modelCsv(answer: ModelAnswer): Iterable<string> {
  const columns = 'answers' in answer ? answer.answers : [answer]
  const told = columns.some((column) => rowsOf(column).some(({ error }) => error !== undefined))
  return columnsCsv(answer.keys ?? [], columns, told ? ['', '_error'] : [''], ({ estimate, error }) => [
    estimate,
    error ?? null,
  ])
}

type Row<Column> = Column extends { readonly groups: readonly (infer Group)[] } ? Group : Column

/** A line per group: its keys and, for each column, the numbers that the suffixes name. */
function columnsCsv<Column extends ColumnAnswer | ModelColumn>(
  keys: readonly string[],
  columns: readonly Column[],
  endings: readonly string[],
  numbers: (row: Row<Column>) => (number | string | null)[],
): Iterable<string> {
  const header = [...keys, ...columns.flatMap(({ name }) => endings.map((ending) => `${name}${ending}`))]
  const cells = columns.map((column) => rowsOf(column) as readonly Row<Column>[])
  const rows = function* () {
    for (const [i, first] of cells[0]!.entries()) {
      const { key = {} } = first as { readonly key?: { readonly [name: string]: string | number | boolean | null } }
      yield [
        ...keys.map((name) => key[name] ?? null),
        ...cells.flatMap((of) => numbers(of[i]!).slice(0, endings.length)),
      ]
    }
  }
  return csvLines(header, rows())
}

const rowsOf = <Column extends ColumnAnswer | ModelColumn>(column: Column) =>
  ('groups' in column ? column.groups : [column]) as readonly Row<Column>[]

const numbersOf = ({ estimate, interval, within, dates }: Estimate) => {
  const [low, high] = dates?.interval ?? interval
  return [within === null ? null : (dates?.estimate ?? estimate), low, high]
}
