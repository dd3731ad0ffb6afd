import {
  as,
  boolean,
  common,
  float,
  integer,
  isNumeric,
  mostDigits,
  numeric,
  type Translated,
  text,
  typed,
  Untranslatable,
  unified,
} from './types.ts'

/** Comparisons: texts by code points, which is the C collation. */
export function compared(operator: string, left: Translated, right: Translated): Translated {
  const { items, kind } = unified([left, right])
  if (kind === 'interval') throw new Untranslatable('intervals cannot be compared here')
  return boolean(`(${items[0]!.sql}) ${operator === '!=' ? '<>' : operator} (${items[1]!.sql})`)
}

/** Whole numbers of the digits that both have: (a·10^d)::HUGEINT. */
export const scaled = (of: Translated, digits: number): string =>
  digits === 0
    ? `(${as(of, 'numeric', 0).sql})::HUGEINT`
    : `((${as(of, 'numeric', digits).sql}) * ${10n ** BigInt(digits)}::DECIMAL(38, 0))::HUGEINT`

/** PostgreSQL's arithmetic: integers divide to integers, dates move by days and intervals. */
export function operation(operator: string, left: Translated, right: Translated): Translated {
  if (operator === '||') return joined(left, right)
  if ([left, right].some(({ kind }) => kind === 'date' || kind === 'timestamp' || kind === 'interval'))
    return dated(operator, left, right)
  const kinds = common([left, right])
  const [a, b] = [left, right].map((side) =>
    side.literal === undefined ? side : as(side, kinds.kind, kinds.digits),
  ) as [Translated, Translated]
  if (!isNumeric(a) || !isNumeric(b)) throw new Untranslatable(`${operator} needs numbers`)
  if (operator === '^') return float(`pow((${a.sql})::DOUBLE, (${b.sql})::DOUBLE)`)
  if (a.kind === 'float' || b.kind === 'float') return inDoubles(operator, a, b)
  return a.kind === 'integer' && b.kind === 'integer' ? ofIntegers(operator, a, b) : ofNumerics(operator, a, b)
}

function inDoubles(operator: string, a: Translated, b: Translated): Translated {
  const [x, y] = [as(a, 'float').sql, as(b, 'float').sql]
  if (operator === '%') throw new Untranslatable('% needs numbers without an exponent')
  if (operator === '/')
    return float(`CASE WHEN (${y}) = 0 AND (${x}) IS NOT NULL THEN fail(${y}) ELSE (${x}) / (${y}) END`)
  return float(`(${x}) ${operator} (${y})`)
}

function ofIntegers(operator: string, a: Translated, b: Translated): Translated {
  if (operator !== '/' && operator !== '%') return integer(`(${a.sql}) ${operator} (${b.sql})`)
  return integer(
    `CASE WHEN (${b.sql}) = 0 AND (${a.sql}) IS NOT NULL THEN fail(${b.sql}) ELSE (${a.sql}) ${operator === '/' ? '//' : '%'} (${b.sql}) END`,
  )
}

/** a / b of whole numbers, to 20 digits after the point, halves away from 0. */
const ratio = (a: string, b: string): string =>
  `CASE WHEN ${b} = 0 AND ${a} IS NOT NULL THEN fail(${b}) ELSE CAST(sign(${a}) * sign(${b}) * ((abs(${a}) * ${2n * 10n ** 20n}::HUGEINT + abs(${b})) // (2 * abs(${b}))) AS DECIMAL(38, 0)) * 0.00000000000000000001::DECIMAL(38, 20) END`

function ofNumerics(operator: string, a: Translated, b: Translated): Translated {
  const digits = Math.max(a.digits, b.digits)
  const both = () => [as(a, 'numeric', digits).sql, as(b, 'numeric', digits).sql]
  switch (operator) {
    case '/':
      if (digits > 16) return inDoubles('/', as(a, 'float'), as(b, 'float'))
      return numeric(ratio(scaled(a, digits), scaled(b, digits)), 20)
    case '*':
      if (a.digits + b.digits > mostDigits) return inDoubles('*', as(a, 'float'), as(b, 'float'))
      return numeric(`(${as(a, 'numeric').sql}) * (${as(b, 'numeric').sql})`, a.digits + b.digits)
    case '%': {
      const [x, y] = both()
      return numeric(
        `(CASE WHEN (${y}) = 0 AND (${x}) IS NOT NULL THEN fail(${y}) ELSE (${x}) % (${y}) END)::DECIMAL(38, ${digits})`,
        digits,
      )
    }
    default: {
      const [x, y] = both()
      return numeric(`((${x}) ${operator} (${y}))::DECIMAL(38, ${digits})`, digits)
    }
  }
}

/** PostgreSQL's || takes anything beside a text. */
function joined(left: Translated, right: Translated): Translated {
  if (![left, right].some(({ kind }) => kind === 'text' || kind === 'unknown'))
    throw new Untranslatable('|| needs a text on one side')
  return text(`(${textOf(left).sql}) || (${textOf(right).sql})`)
}

/** The text of a value, where DuckDB and PostgreSQL print it alike. */
export function textOf(of: Translated): Translated {
  if (of.literal !== undefined || of.kind === 'text') return as(of, 'text')
  if (of.kind === 'float' || of.kind === 'interval' || of.digits > 16)
    throw new Untranslatable('a number with an exponent, or an interval, cannot be made a text')
  return text(`(${of.sql})::VARCHAR`)
}

function dated(operator: string, left: Translated, right: Translated): Translated {
  const form = `${left.kind} ${operator} ${right.kind}`
  const [a, b] = [left.sql, right.sql]
  switch (form) {
    case 'date + integer':
    case 'date - integer':
      return typed(`(${a}) ${operator} (${b})::INTEGER`, 'date')
    case 'integer + date':
      return typed(`(${b}) + (${a})::INTEGER`, 'date')
    case 'date - date':
      return integer(`((${a}) - (${b}))::BIGINT`)
    case 'date - unknown':
      return integer(`((${a}) - (${as(right, 'date').sql}))::BIGINT`)
    case 'unknown - date':
      return integer(`((${as(left, 'date').sql}) - (${b}))::BIGINT`)
    case 'date + interval':
    case 'date - interval':
    case 'timestamp + interval':
    case 'timestamp - interval':
      return typed(`(${a})::TIMESTAMP ${operator} (${b})`, 'timestamp')
    case 'interval + date':
    case 'interval + timestamp':
      return typed(`(${b})::TIMESTAMP + (${a})`, 'timestamp')
    case 'interval + interval':
    case 'interval - interval':
      return typed(`(${a}) ${operator} (${b})`, 'interval')
    case 'interval * integer':
    case 'integer * interval':
      return typed(`(${a}) * (${b})`, 'interval')
    default:
      throw new Untranslatable(`${left.kind} ${operator} ${right.kind} is not supported`)
  }
}

export const widthBucket = ([x, low, high, count]: readonly Translated[]): Translated => {
  const bounds = unified([x!, low!, high!])
  if (bounds.kind === 'float' || bounds.digits > 12)
    throw new Untranslatable('width_bucket needs numbers without an exponent')
  if (count!.kind !== 'integer') throw new Untranslatable('width_bucket needs a whole number of buckets')
  const [v, l, h] = bounds.items.map((item) => scaled(item, bounds.digits)) as [string, string, string]
  const n = `(${count!.sql})::HUGEINT`
  const outside = `CASE WHEN ${n} <= 0 OR ${l} = ${h} THEN fail(${n})`
  const up = `WHEN ${l} < ${h} THEN CASE WHEN ${v} < ${l} THEN 0 WHEN ${v} >= ${h} THEN ${n} + 1 ELSE (${v} - ${l}) * ${n} // (${h} - ${l}) + 1 END`
  const down = `ELSE CASE WHEN ${v} > ${l} THEN 0 WHEN ${v} <= ${h} THEN ${n} + 1 ELSE (${l} - ${v}) * ${n} // (${l} - ${h}) + 1 END END`
  return integer(
    `(CASE WHEN ${v} IS NULL OR ${l} IS NULL OR ${h} IS NULL OR ${n} IS NULL THEN NULL ELSE ${outside} ${up} ${down} END)::BIGINT`,
  )
}
