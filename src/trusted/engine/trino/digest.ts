import type { Column, Session } from '../sql/index.ts'
import { cast, joined, quote } from '../sql/index.ts'
import { fullText } from './dialect.ts'

/** 64 bits each: the whole of a SHA-256. */
const lanes = [1, 9, 17, 25]

/**
 * A keyed digest of a relation's records, whatever their order: a hash of a key and each record, added up. The sums are of whole
 * numbers and exact, so that a record that stands twice counts twice. Computed in the server, from which come a count and
 * four sums. What it withstands: docs/trino.md. With 32 letters of key, a short record is one block of SHA-256.
 */
export function contentSql({ records, columns }: Pick<Session, 'records' | 'columns'>, key: string): string {
  const fields = [...columns.values()]
    .filter(({ unreadable }) => !unreadable)
    .flatMap((column) => [fieldSql(column), quote(',')])
  const hash = `sha256(to_utf8(${joined([quote(key.slice(0, 32)), ...fields, quote('')])}))`
  const sums = lanes.map((at) => {
    const lane = cast(`from_big_endian_64(substr(hash, ${at}, 8))`, 'DECIMAL(38, 0)')
    return cast(`coalesce(sum(${lane}), 0)`, 'VARCHAR')
  })
  return `SELECT ${[cast('count(*)', 'VARCHAR'), ...sums].join(', ')} FROM (SELECT ${hash} AS hash FROM ${records}) AS hashes`
}

/** No two records are written alike: a text has its length in front, all else has no commas, and NULL has a sign of its own. */
function fieldSql(column: Column): string {
  const t = fullText(column)
  const isFree = column.kind === 'text' || column.type === 'json'
  return isFree ? `coalesce(${cast(`length(${t})`, 'VARCHAR')} || ':' || ${t}, '-')` : `coalesce(${t}, '-')`
}
