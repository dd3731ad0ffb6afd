import { recordWeights } from '../../model/index.ts'
import { answerSize, checkQuery, type LinearQuery } from '../../query/index.ts'
import { fixedEngine } from '../fixed-engine.ts'
import type { CodedTable } from '../marginals/index.ts'
import { bitPairs } from './bit-pairs.ts'

/** An engine over coded rows in memory, for any query whose sums stay below 2^53. */
export function rowsEngine(table: CodedTable) {
  const distinct = distinctRows(table)
  const ofPair = bitPairs(table)
  return fixedEngine('rows', (queries) => queries.map((query) => ofPair(query) ?? answerOf(query, distinct)))
}

/** What queries say of a table, without noise: for comparison alone. */
export function exactAnswers(table: CodedTable, queries: readonly LinearQuery[]): Float64Array[] {
  const distinct = distinctRows(table)
  return queries.map((query) => answerOf(query, distinct))
}

/** A table's rows, each once, and how often. */
interface DistinctRows extends CodedTable {
  readonly counts: Float64Array
}

function distinctRows(table: CodedTable): DistinctRows {
  const places = new Map<string, number>()
  const [firsts, counts]: [number[], number[]] = [[], []]
  for (let row = 0; row < table.rows; row++) {
    const key = String.fromCharCode(...table.columns.map((column) => column[row]!))
    const place = places.get(key) ?? firsts.length
    if (place === firsts.length) {
      places.set(key, place)
      firsts.push(row)
      counts.push(0)
    }
    counts[place]!++
  }
  const columns = table.columns.map((column) => Uint16Array.from(firsts, (row) => column[row]!))
  return { ...table, rows: firsts.length, columns, counts: Float64Array.from(counts) }
}

function answerOf(query: LinearQuery, { universe, columns, counts }: DistinctRows): Float64Array {
  checkQuery(query, universe)
  const sums = new Float64Array(answerSize(query, universe))
  const { places, weights } = recordWeights(query, universe, columns)
  for (let row = 0; row < counts.length; row++)
    if (places[row]! >= 0) sums[places[row]!]! += weights[row]! * counts[row]!
  return sums
}
