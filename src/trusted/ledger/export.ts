import { canonicalJson, type Integers } from '../../query/index.ts'
import type { StoredRow } from './ledger.ts'
import { rowToJson } from './rows/encode.ts'

/**
 * Rows as lines of JSON: everything that was promised, paid for and released, and nothing else; the key is not in it.
 * Integers of 2^53 and beyond are texts.
 */
export const exportRows = (rows: readonly StoredRow[]): string[] =>
  rows.map(({ seq, at, hash, row }) => {
    const values = 'values' in row ? { values: row.values.map(plain) } : {}
    return canonicalJson({ seq, at, hash, row: rowToJson(row), ...values })
  })

const plain = (vector: Integers) => (vector instanceof Float64Array ? [...vector] : vector.map(String))
