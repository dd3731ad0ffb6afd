import type { Unit, Universe } from '../../../../schema/index.ts'
import { requireColumns } from '../columns.ts'
import type { Session } from '../database.ts'
import type { Column, Dialect } from '../dialect.ts'
import { codeSql } from './encode.ts'
import { cast, quote } from './words.ts'

/** Name of the i-th attribute's code in every relation of codes. */
export const code = (i: number): string => `a${i}`

/** What is asked of which records. */
export interface Encoding {
  readonly dialect: Dialect
  readonly universe: Universe
  readonly source: Pick<Session, 'columns' | 'records'>
}

/** SQL of the records' codes in these attributes (positions in the universe). */
export function encodedSql({ dialect, universe, source }: Encoding, attributes: readonly number[]): string {
  const wanted = attributes.map((i) => universe.attributes[i]!)
  const found = requireColumns(
    source.columns,
    wanted.map((a) => a.name),
  )
  const codes = wanted.map((a, at) => `${codeSql(dialect, a, found[at]!)} AS ${code(attributes[at]!)}`)
  // A query may look at no attribute at all; a relation needs a column.
  return `SELECT ${codes.join(', ') || '0 AS none'} FROM ${source.records}`
}

/**
 * The codes of all attributes, at most `rows` records of one person, all without a person being one. A person's records
 * are ordered by a keyed hash of the person and the encoded record, so which of them count depends on no other person's
 * records and on no order in the file; equal hashes are equal records, between which there is nothing to choose. The first
 * 128 bits of the hash are enough for that.
 */
export function limitedSql(
  { dialect, universe, source }: Encoding,
  unit: Extract<Unit, { kind: 'column' }>,
  key: string,
): string {
  const { attributes } = universe
  const names = attributes.map((a) => a.name)
  const [person, ...found] = requireColumns(source.columns, [unit.column, ...names]) as [Column, ...Column[]]
  const encoded = attributes.map((a, i) => `${codeSql(dialect, a, found[i]!)} AS ${code(i)}`)
  const codes = attributes.map((_, i) => code(i))
  const texts = codes.map((c) => cast(c, 'VARCHAR'))
  // The length in front of the person's text and commas between numbers: no two (person, record) give one text.
  const text = `concat(${quote(key)}, ${cast('length(person)', 'VARCHAR')}, ':', person, ':', concat_ws(',', ${texts.join(', ')}))`
  return `SELECT ${codes.join(', ')} FROM (
      SELECT *, row_number() OVER (PARTITION BY person ORDER BY ${dialect.hash(text)}) AS place FROM (
        SELECT coalesce('=' || ${cast(person.sql, 'VARCHAR')}, '-') AS person, ${encoded.join(', ')} FROM ${source.records}
      ) AS encoded
    ) AS placed WHERE place <= ${unit.rows}`
}
