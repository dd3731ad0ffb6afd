import { textOf } from './operators.ts'
import {
  article,
  as,
  boolean,
  duckdbType,
  float,
  integer,
  intervalSql,
  type Kind,
  numeric,
  type Translated,
  text,
  typed,
  Untranslatable,
} from './types.ts'

const kinds: { readonly [name: string]: Kind } = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  bigint: 'integer',
  numeric: 'numeric',
  decimal: 'numeric',
  float4: 'float',
  float8: 'float',
  double: 'float',
  text: 'text',
  varchar: 'text',
  string: 'text',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  interval: 'interval',
}
const integerTypes: { readonly [name: string]: string } = {
  int2: 'SMALLINT',
  int4: 'INTEGER',
  int8: 'BIGINT',
  bigint: 'BIGINT',
}
/** As the grammar numbers them, for INTERVAL '18' YEAR. */
const intervalUnits: { readonly [modifier: number]: string } = { 2: 'months', 4: 'years', 8: 'days' }

/** A cast that was asked for: it may round, cut, and fail for single values. */
export function cast(of: Translated, type: string, modifiers: readonly number[]): Translated {
  const kind = kinds[type]
  if (!kind) throw new Untranslatable(`a cast to ${type} is not supported here`)
  if (kind === 'interval') {
    const unit = intervalUnits[modifiers[0] ?? -1]
    if (typeof of.literal !== 'string' || (modifiers.length > 0 && !unit))
      throw new Untranslatable('only a quoted text can be an interval')
    return intervalSql(of.literal, unit)
  }
  if (of.literal === null) return typed(`NULL::${duckdbType(kind)}`, kind)
  if (kind === 'integer') return toInteger(of, integerTypes[type]!)
  if (kind === 'numeric') return toNumeric(of, modifiers)
  if (kind === 'text') return cut(of.literal === undefined ? textOf(of) : as(of, 'text'), modifiers)
  if (modifiers.length > 0) throw new Untranslatable('a type with a precision is not supported here')
  if (of.literal !== undefined) return as(of, kind)
  if (of.kind === kind) return of
  if (kind === 'float') return toFloat(of, type)
  if (kind === 'boolean' && of.kind === 'integer') return boolean(`(${of.sql}) <> 0`)
  if (kind === 'date' && of.kind === 'timestamp') return typed(`(${of.sql})::DATE`, 'date')
  if (kind === 'date' && of.kind === 'text') return typed(`(${of.sql})::DATE`, 'date')
  if (kind === 'timestamp' && of.kind === 'date') return as(of, 'timestamp')
  throw impossible(of, kind)
}

const impossible = (of: Translated, kind: Kind) =>
  new Untranslatable(`${article(of.kind)} cannot be cast to ${article(kind)}`)

/** Numerics round halves away from 0, doubles to the even neighbour. */
function toInteger(of: Translated, type: string): Translated {
  const known = of.literal === undefined ? of : as(of, 'integer')
  if (!['integer', 'numeric', 'float', 'boolean', 'text'].includes(known.kind)) throw impossible(known, 'integer')
  if (known.kind === 'text')
    return integer(
      `CASE WHEN regexp_full_match(trim(${known.sql}), '[+-]?[0-9]+') THEN (${known.sql})::${type}::BIGINT ELSE fail(${known.sql}) END`,
    )
  const whole =
    known.kind === 'float'
      ? `round_even(${known.sql}, 0)`
      : known.kind === 'numeric'
        ? `round(${known.sql}, 0)`
        : known.sql
  return integer(`(${whole})::${type}::BIGINT`)
}

function toNumeric(of: Translated, [precision, scale = 0]: readonly number[]): Translated {
  if (of.kind === 'boolean' || of.kind === 'date') throw impossible(of, 'numeric')
  const known = of.literal === undefined ? of : as(of, 'numeric')
  const digits =
    precision === undefined ? (known.kind === 'numeric' ? known.digits : known.kind === 'integer' ? 0 : 15) : scale
  if (digits < 0 || digits > 20) throw new Untranslatable('a numeric with this precision is not supported')
  if (known.kind === 'text' || known.kind === 'float') return numeric(`(${known.sql})::DECIMAL(38, ${digits})`, digits)
  const rounded =
    known.kind === 'numeric' && known.digits > digits
      ? numeric(`round(${known.sql}, ${digits})::DECIMAL(38, ${digits})`, digits)
      : as(known, 'numeric', digits)
  if (precision === undefined) return rounded
  const limit = `${10n ** BigInt(Math.max(0, precision - scale))}::DECIMAL(38, 0)`
  return numeric(
    `(CASE WHEN abs(${rounded.sql}) >= ${limit} THEN fail(${rounded.sql}) ELSE ${rounded.sql} END)::DECIMAL(38, ${digits})`,
    digits,
  )
}

const cut = (of: Translated, [length]: readonly number[]): Translated =>
  length === undefined ? of : text(`left(${of.sql}, ${length})`)

function toFloat(of: Translated, type: string): Translated {
  if (!['integer', 'numeric', 'text'].includes(of.kind)) throw impossible(of, 'float')
  return float(type === 'float4' ? `(${of.sql})::FLOAT::DOUBLE` : `(${of.sql})::DOUBLE`)
}
