import type { Unit, Universe } from '../../../schema/index.ts'
import { type Column, codeSql } from './encode.ts'
import { records, requireColumns } from './relation.ts'
import { quote } from './sql.ts'

/** Name of the i-th attribute's code in every relation of codes. */
export const code = (i: number): string => `a${i}`

/** SQL of the records' codes in these attributes (positions in the universe). */
export function encodedSql(u: Universe, columns: ReadonlyMap<string, Column>, attributes: readonly number[]): string {
  const found = requireColumns(
    columns,
    attributes.map((i) => u.attributes[i]!.name),
  )
  const codes = attributes.map((i, at) => `${codeSql(u.attributes[i]!, found[at]!)} AS ${code(i)}`)
  // A query may look at no attribute at all; a relation needs a column.
  return `SELECT ${codes.join(', ') || '0 AS none'} FROM ${records}`
}

/**
 * The codes of all attributes, at most `rows` records of one person, all without a person being one. A person's records
 * are ordered by a keyed hash of the person and the encoded record, so which of them count depends on no other person's
 * records and on no order in the file; equal hashes are equal records, between which there is nothing to choose. The first
 * 128 bits of the hash are enough for that, and a UUID sorts as they do, in a quarter of the memory of the hash's text.
 */
export function limitedSql(
  u: Universe,
  columns: ReadonlyMap<string, Column>,
  unit: Extract<Unit, { kind: 'column' }>,
  key: string,
): string {
  const all = u.attributes.map((a) => a.name)
  const [person, ...found] = requireColumns(columns, [unit.column, ...all]) as [Column, ...Column[]]
  const encoded = u.attributes.map((a, i) => `${codeSql(a, found[i]!)} AS ${code(i)}`)
  const codes = u.attributes.map((_, i) => code(i))
  const who = `CAST(${person.sql} AS VARCHAR)`
  // The length in front of the person's text and commas between numbers: no two (person, record) give one text.
  const text = `concat(${quote(key)}, length(person), ':', person, ':', concat_ws(',', ${codes.join(', ')}))`
  return `SELECT ${codes.join(', ')} FROM (
      SELECT coalesce('=' || ${who}, '-') AS person, ${encoded.join(', ')} FROM ${records}
    ) QUALIFY row_number() OVER (PARTITION BY person ORDER BY left(sha256(${text}), 32)::UUID) <= ${unit.rows}`
}
