import { parseRational } from '../../../numeric/index.ts'
import { numericLiteral, numericType, quoteText } from '../../domain-sql/index.ts'
import { isDate } from '../expression/functions.ts'

/** PostgreSQL's types, as far as expressions know them. A quoted literal has none before it meets something that has one. */
export type Kind = 'integer' | 'numeric' | 'float' | 'text' | 'boolean' | 'date' | 'timestamp' | 'interval' | 'unknown'

/** An expression in DuckDB's SQL that means what PostgreSQL's means. */
export interface Translated {
  readonly sql: string
  readonly kind: Kind
  /** After the point, of a numeric; 0 of others. */
  readonly digits: number
  /** What a literal without a type says; null is NULL. */
  readonly literal?: string | null
}

/** More digits after the point than this are not kept: what needs them is computed in doubles. */
export const mostDigits = 30

/** What cannot be translated, for the place where it stands. */
export class Untranslatable extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

export const typed = (sql: string, kind: Kind, digits = 0): Translated => ({ sql, kind, digits })
export const integer = (sql: string) => typed(sql, 'integer')
export const text = (sql: string) => typed(sql, 'text')
export const boolean = (sql: string) => typed(sql, 'boolean')
export const float = (sql: string) => typed(sql, 'float')
export const numeric = (sql: string, digits: number) => typed(sql, 'numeric', digits)

const duckdbTypes: { readonly [K in Exclude<Kind, 'numeric' | 'unknown'>]: string } = {
  integer: 'BIGINT',
  float: 'DOUBLE',
  text: 'VARCHAR',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  interval: 'INTERVAL',
}
export const duckdbType = (kind: Kind, digits = 0): string =>
  kind === 'numeric' ? numericType(digits) : duckdbTypes[kind === 'unknown' ? 'text' : kind]

export const isNumeric = ({ kind }: { readonly kind: Kind }): boolean =>
  kind === 'integer' || kind === 'numeric' || kind === 'float'

const booleans: { readonly [text: string]: boolean } = {
  true: true,
  t: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  f: false,
  no: false,
  off: false,
  0: false,
}

/** A quoted literal as a value of a type, the way PostgreSQL reads one. */
function literalAs(literal: string, kind: Kind): Translated {
  const bad = () => new Untranslatable(`${JSON.stringify(literal.slice(0, 60))} is not ${articles[kind]}`)
  const trimmed = literal.trim()
  switch (kind) {
    case 'text':
    case 'unknown':
      return text(`${quoteText(literal)}::VARCHAR`)
    case 'integer':
      if (!/^[+-]?\d{1,18}$/.test(trimmed)) throw bad()
      return integer(`${Number.parseInt(trimmed, 10)}::BIGINT`)
    case 'numeric':
    case 'float': {
      const value = trimmed.includes('/') ? undefined : parseRational(trimmed)
      if (!value) throw bad()
      return kind === 'float' ? float(`'${trimmed}'::DOUBLE`) : numeralSql(trimmed)
    }
    case 'boolean': {
      const value = booleans[trimmed.toLowerCase()]
      if (value === undefined) throw bad()
      return boolean(String(value))
    }
    case 'date':
      if (!isDate(trimmed)) throw bad()
      return typed(`DATE '${trimmed}'`, 'date')
    case 'timestamp':
      if (!isDate(trimmed.slice(0, 10)) || !/^.{10}([ T]\d\d:\d\d(:\d\d)?)?$/.test(trimmed)) throw bad()
      return typed(`TIMESTAMP '${trimmed}'`, 'timestamp')
    case 'interval':
      return intervalSql(trimmed)
  }
}

const articles: { readonly [K in Kind]: string } = {
  integer: 'a whole number',
  numeric: 'a number',
  float: 'a number',
  text: 'a text',
  boolean: 'true or false',
  date: 'a date such as 1990-05-01',
  timestamp: 'a date with a time',
  interval: "an interval such as '18 years'",
  unknown: 'a text',
}
export const article = (kind: Kind): string => articles[kind]

/** A number as it is written, with all its digits. */
export function numeralSql(numeral: string): Translated {
  const value = parseRational(numeral)
  for (let digits = 0; value && digits <= mostDigits; digits++)
    if (10n ** BigInt(digits) % value.den === 0n)
      return numeric(numericLiteral(value, Math.max(digits, written(numeral))), Math.max(digits, written(numeral)))
  throw new Untranslatable('a number with this many digits is not supported')
}
const written = (numeral: string) => Math.min(mostDigits, /^[^e]*\.(\d*)$/i.exec(numeral)?.[1]?.length ?? 0)

const units = /^(years?|yrs?|months?|mons?|weeks?|days?)$/i

/** Whole years, months, weeks and days. */
export function intervalSql(literal: string, unit?: string): Translated {
  const written = (unit ? `${literal} ${unit}` : literal).trim()
  const parts = [...written.matchAll(/([+-]?\d{1,6})\s*([a-z]+)\s*/gi)]
  const isWhole = parts.map(([part]) => part).join('') === written && parts.every(([, , each]) => units.test(each!))
  if (parts.length === 0 || !isWhole) throw new Untranslatable(`${JSON.stringify(literal)} is not ${articles.interval}`)
  const named = parts.map(
    ([, count, each]) =>
      `${count} ${each!.toLowerCase().replace(/^(mons?|yrs?)$/, (short) => (short.startsWith('m') ? 'months' : 'years'))}`,
  )
  return typed(`INTERVAL '${named.join(' ')}'`, 'interval')
}

/** The value as one of another type, where PostgreSQL converts it by itself. */
export function as(of: Translated, kind: Kind, digits = of.digits): Translated {
  if (of.literal === null) return typed(`NULL::${duckdbType(kind, digits)}`, kind, kind === 'numeric' ? digits : 0)
  if (of.literal !== undefined) {
    const value = literalAs(of.literal, kind)
    return kind === 'numeric' && value.digits < digits ? as(value, kind, digits) : value
  }
  if (of.kind === kind && (kind !== 'numeric' || of.digits === digits)) return of
  const widens =
    (of.kind === 'integer' && (kind === 'numeric' || kind === 'float')) ||
    (of.kind === 'numeric' && (kind === 'float' || kind === 'numeric')) ||
    (of.kind === 'date' && kind === 'timestamp')
  if (!widens) throw new Untranslatable(`${articles[kind]} is expected here, not ${articles[of.kind]}`)
  return typed(`(${of.sql})::${duckdbType(kind, digits)}`, kind, kind === 'numeric' ? digits : 0)
}

/** The type that several values have in common, as in CASE and comparisons. */
export function common(items: readonly Translated[]): { kind: Kind; digits: number } {
  const known = items.filter((item) => item.literal === undefined)
  const kinds = new Set(known.map((item) => item.kind))
  if (kinds.size === 0) return { kind: 'text', digits: 0 }
  const digits = Math.max(...known.map((item) => item.digits), ...literalDigits(items, kinds))
  if (kinds.size === 1) return { kind: [...kinds][0]!, digits }
  if (known.every(isNumeric)) return kinds.has('float') ? { kind: 'float', digits: 0 } : { kind: 'numeric', digits }
  if ([...kinds].every((kind) => kind === 'date' || kind === 'timestamp')) return { kind: 'timestamp', digits: 0 }
  throw new Untranslatable(`${[...kinds].map((kind) => articles[kind]).join(' and ')} cannot be matched`)
}

/** Quoted numbers beside a numeric keep their digits. */
const literalDigits = (items: readonly Translated[], kinds: ReadonlySet<Kind>): number[] =>
  kinds.has('numeric') ? items.map(({ literal }) => (literal ? written(literal.trim()) : 0)) : [0]

/** All of them as values of one kind, that which they have in common. */
export function unified(items: readonly Translated[]): { items: Translated[]; kind: Kind; digits: number } {
  const { kind, digits } = common(items)
  return { items: items.map((item) => as(item, kind, digits)), kind, digits }
}
