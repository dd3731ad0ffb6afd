import type { Attribute, Unit, Universe } from '../../../../schema/index.ts'
import { requireColumns } from '../columns.ts'
import type { Session } from '../database.ts'
import type { Column, Dialect } from '../dialect.ts'
import { codeSql } from './encode.ts'
import { cast, joined, quote } from './words.ts'

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
  return `SELECT ${codes.join(', ') || '0 AS none'} FROM ${source.records}${dialect.once ?? ''}`
}

/**
 * Whether a column's values, and not their codes, are grouped: where they are few. Texts of a closed list are, and whole numbers, of
 * which every one has its own code but for those beyond the ends.
 */
const isGroupedFirst = (a: Attribute, { groupedFirst, kind }: Column): boolean =>
  groupedFirst ?? ((a.kind === 'values' && !a.other && kind === 'text') || (a.kind === 'integer' && kind === 'integer'))

/**
 * The codes that occur in these attributes, and how many records have them (`n`): several rows may have the same codes. Columns that are
 * grouped first are encoded once for each of their values, not for each record.
 */
export function countedSql({ dialect, universe, source }: Encoding, attributes: readonly number[]): string {
  const names = attributes.map((i) => universe.attributes[i]!.name)
  const columns = requireColumns(source.columns, names)
  const parts = attributes.map((i, at) => {
    const [a, column] = [universe.attributes[i]!, columns[at]!]
    if (!isGroupedFirst(a, column)) return { key: code(i), read: codeSql(dialect, a, column), coded: code(i) }
    return {
      key: `v${i}`,
      read: column.sql,
      coded: `${codeSql(dialect, a, { ...column, sql: `v${i}` })} AS ${code(i)}`,
    }
  })
  const keys = parts.map(({ key }) => key)
  const read = parts.map(({ key, read }) => `${read} AS ${key}`)
  return `SELECT ${[...parts.map(({ coded }) => coded), 'n'].join(', ')} FROM (
      ${groupsSql(keys, `(SELECT ${read.join(', ') || '0 AS none'} FROM ${source.records}) AS read`)}
    ) AS groups`
}

/** Groups of equal codes in a relation, and how many records each has. */
export const groupsSql = (keys: readonly string[], from: string): string =>
  `SELECT ${[...keys, 'count(*) AS n'].join(', ')} FROM ${from}${grouped(keys)}`

export const grouped = (keys: readonly string[]): string => (keys.length > 0 ? ` GROUP BY ${keys.join(', ')}` : '')

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
  // Throws: what cannot be read is in no fingerprint.
  if (person.unreadable) dialect.text(person)
  const encoded = attributes.map((a, i) => `${codeSql(dialect, a, found[i]!)} AS ${code(i)}`)
  const codes = attributes.map((_, i) => code(i))
  const texts = codes.map((c) => cast(c, 'VARCHAR'))
  // The length in front of the person's text and commas between numbers: no two (person, record) give one text.
  const text = `concat(${quote(key)}, ${cast('length(person)', 'VARCHAR')}, ':', person, ':', ${joined(texts, ',')})`
  const id = isWrittenTwice(person) ? (person.identity ?? person.sql) : person.identity
  const partition = id === undefined ? 'person' : 'id'
  return `SELECT ${codes.join(', ')} FROM (
      SELECT *, row_number() OVER (PARTITION BY ${partition} ORDER BY ${dialect.hash(text)}) AS place FROM (
        SELECT coalesce('=' || ${cast(person.sql, 'VARCHAR')}, '-') AS person, ${id === undefined ? '' : `${id} AS id, `}${encoded.join(', ')} FROM ${source.records}${dialect.once ?? ''}
      ) AS encoded
    ) AS placed WHERE place <= ${unit.rows}`
}

/**
 * Whether equal values may be written in two ways: 7 and 7.0, 0 and -0, one moment in two time zones, a day and 24 hours. They are one person all the
 * same, by what the database takes for equal. A column with an `identity` of its own needs no such guess.
 */
const isWrittenTwice = ({ kind, type }: Column): boolean =>
  kind === 'number' || kind === 'float' || kind === 'time' || /with time zone|^interval/i.test(type)
