import { rational } from '../../../numeric/index.ts'
import { numericLiteral, quoteText } from '../../domain-sql/index.ts'
import { compared, operation, scaled, textOf, widthBucket } from './operators.ts'
import {
  as,
  boolean,
  float,
  integer,
  isNumeric,
  numeric,
  type Translated,
  text,
  typed,
  Untranslatable,
  unified,
} from './types.ts'

/** A function of values: how many arguments it takes, and what it is in DuckDB. */
interface ValueFunction {
  readonly least: number
  readonly most: number
  readonly translate: (args: readonly Translated[]) => Translated
}

const takes = (least: number, most: number, translate: ValueFunction['translate']): ValueFunction => ({
  least,
  most,
  translate,
})
const number = (of: Translated): Translated => {
  const known = of.literal === undefined ? of : as(of, 'float')
  if (!isNumeric(known)) throw new Untranslatable('a number is needed here')
  return known
}
const whole = (of: Translated | undefined, otherwise = '0'): string => (of ? as(of, 'integer').sql : otherwise)
const string = (of: Translated): string => as(of, 'text').sql

const ofText = (name: string, kind: 'text' | 'integer' = 'text') =>
  takes(1, 1, ([s]) => typed(`${name}(${string(s!)})${kind === 'integer' ? '::BIGINT' : ''}`, kind))
/** No longer than this: what is replaced by something longer, again and again, would grow without end. */
export const longestText = 10_000
const replaced = takes(3, 3, (args) => {
  const [s, from, to] = args.map(string)
  const isLong = `length(${s}) * length(${to}) > ${longestText}`
  return text(`CASE WHEN ${isLong} THEN fail(0)::VARCHAR ELSE replace(${s}, ${from}, ${to}) END`)
})
const trim = (name: string) =>
  takes(1, 2, (args) => text(`${name}(${args.map(string).join(', ')}${args.length === 1 ? ", ' '" : ''})`))
const inDoubles = (name: string) => takes(1, 1, ([x]) => float(`${name}((${number(x!).sql})::DOUBLE)`))

/** floor and ceil: of integers they are doubles in PostgreSQL, which divide like numerics. */
const toWhole = (name: string) =>
  takes(1, 1, ([of]) => {
    const x = number(of!)
    if (x.kind === 'float') return float(`${name}(${x.sql})`)
    return numeric(`${name}(${as(x, 'numeric').sql})::DECIMAL(38, 0)`, 0)
  })

/** Halves go away from 0, of doubles to the even neighbour. */
const rounded = takes(1, 2, ([of, places]) => {
  const x = number(of!)
  if (x.kind === 'float') {
    if (places) throw new Untranslatable('round of a double takes no digits', 'Cast it: round(x::numeric, 2).')
    return float(`round_even(${x.sql}, 0)`)
  }
  return toPlaces('round', as(x, 'numeric'), places)
})
const truncated = takes(1, 2, ([of, places]) => {
  const x = number(of!)
  return x.kind === 'float' && !places ? float(`trunc(${x.sql})`) : toPlaces('trunc', as(x, 'numeric'), places)
})

/** A numeric to so many digits after the point, fewer than none where they are negative. */
function toPlaces(name: 'round' | 'trunc', x: Translated, places: Translated | undefined): Translated {
  const digits = places ? Number(/^\(?(-?\d+)\)?(::BIGINT)?$/.exec(places.sql)?.[1] ?? Number.NaN) : 0
  if (!Number.isInteger(digits) || Math.abs(digits) > 15)
    throw new Untranslatable(`the digits of ${name} must be a constant`)
  if (digits >= x.digits) return as(x, 'numeric', digits)
  const unit = 10n ** BigInt(x.digits - digits)
  const steps = scaled(x, x.digits)
  const kept = name === 'trunc' ? `(${steps} // ${unit})` : `((${steps} + sign(${steps}) * ${unit / 2n}) // ${unit})`
  if (digits <= 0) return numeric(`(${kept} * ${10n ** BigInt(-digits)})::DECIMAL(38, 0)`, 0)
  return numeric(
    `(${kept}::DECIMAL(38, 0) * ${numericLiteral(rational(1n, 10n ** BigInt(digits)), digits)})::DECIMAL(38, ${digits})`,
    digits,
  )
}

/** Fields of dates that PostgreSQL and DuckDB number alike. */
const fields = ['year', 'quarter', 'month', 'week', 'day', 'dow', 'isodow', 'doy', 'decade', 'century', 'isoyear']
const intervalFields = ['year', 'month', 'day']
const units = ['day', 'week', 'month', 'quarter', 'year', 'decade']

const timesOfDay = /^(hours?|minutes?|seconds?|milliseconds?|epoch|timezone)$/
const noTimeOfDay =
  'Of a date only the day is known. The owner can add the hour as an attribute of its own, by an `sql:` of the source.'

const dateOf = (of: Translated, name: string): Translated => {
  const known = of.literal === undefined ? of : as(of, 'date')
  if (!['date', 'timestamp', 'interval'].includes(known.kind)) throw new Untranslatable(`${name} needs a date`)
  return known
}
const fieldOf = (of: Translated, name: string, allowed: readonly string[]): string => {
  const field = (of.literal ?? '').toLowerCase().replace(/^(years|months|days|weeks)$/, (unit) => unit.slice(0, -1))
  if (!allowed.includes(field))
    throw new Untranslatable(`${name} supports ${allowed.join(', ')}`, timesOfDay.test(field) ? noTimeOfDay : undefined)
  return field
}
const extract = (name: string) =>
  takes(2, 2, ([field, of]) => {
    const date = dateOf(of!, name)
    const wanted = fieldOf(field!, name, date.kind === 'interval' ? intervalFields : fields)
    return numeric(`extract(${wanted} FROM ${date.sql})::DECIMAL(38, 0)`, 0)
  })
const fieldFunction = (field: string) =>
  takes(1, 1, ([of]) => integer(`extract(${field} FROM ${dateOf(of!, field).sql})::BIGINT`))
const dateName = (name: string) => takes(1, 1, ([of]) => text(`${name}(${dateOf(of!, name).sql})`))

const truncatedDate = takes(2, 2, ([unit, of]) => {
  const date = dateOf(of!, 'date_trunc')
  if (date.kind === 'interval') throw new Untranslatable('date_trunc needs a date')
  return typed(`date_trunc('${fieldOf(unit!, 'date_trunc', units)}', ${date.sql})::DATE`, 'date')
})

const datesApart = takes(3, 3, ([unit, from, to]) => {
  const [a, b] = [dateOf(from!, 'date_diff'), dateOf(to!, 'date_diff')]
  return integer(
    `date_diff('${fieldOf(unit!, 'date_diff', ['day', 'week', 'month', 'quarter', 'year'])}', ${a.sql}, ${b.sql})`,
  )
})

/** The pieces of to_char's templates that need no words: strftime has them, too. */
const templates: { readonly [piece: string]: string } = {
  YYYY: '%Y',
  YY: '%y',
  MM: '%m',
  DD: '%d',
  DDD: '%j',
  IW: '%V',
  IYYY: '%G',
}
const written = takes(2, 2, ([of, template]) => {
  const format = template!.literal
  const pieces = typeof format === 'string' ? format.match(/IYYY|YYYY|YY|MM|DDD|DD|IW|[-/. _:]|./gu) : null
  if (!pieces?.every((piece) => Object.hasOwn(templates, piece) || /^[-/. _:]$/.test(piece)))
    throw new Untranslatable(`to_char supports ${Object.keys(templates).join(', ')} and what stands between them`)
  const known = pieces.map((piece) => templates[piece] ?? piece).join('')
  return text(`strftime(${dateOf(of!, 'to_char').sql}, ${quoteText(known)})`)
})
/** The same in the words of DuckDB. */
const formatted = takes(2, 2, ([of, template]) => {
  const format = template!.literal
  const known = Object.values(templates)
  if (
    typeof format !== 'string' ||
    !format.match(/%.?|[^%]/gu)?.every((p) => known.includes(p) || /^[-/. _:]$/.test(p))
  )
    throw new Untranslatable(`strftime supports ${known.join(', ')} and what stands between them`)
  return text(`strftime(${dateOf(of!, 'strftime').sql}, ${quoteText(format)})`)
})

const age = takes(2, 2, (args) => {
  const [a, b] = args.map((of) => dateOf(of, 'age'))
  return typed(`age((${a!.sql})::TIMESTAMP, (${b!.sql})::TIMESTAMP)`, 'interval')
})

const sameKind = (name: string) =>
  takes(1, 50, (args) => {
    const { items, kind, digits } = unified(args)
    return typed(`${name}(${items.map(({ sql }) => sql).join(', ')})`, kind, digits)
  })

const absolute = takes(1, 1, ([of]) => {
  const x = number(of!)
  return typed(`abs(${x.sql})`, x.kind, x.digits)
})
const signOf = takes(1, 1, ([of]) => {
  const x = number(of!)
  return x.kind === 'float' ? float(`sign(${x.sql})::DOUBLE`) : numeric(`sign(${x.sql})::DECIMAL(38, 0)`, 0)
})

/** Joins what is not NULL; anything that prints alike may be in it. */
const concat = takes(1, 50, (args) => text(`concat(${args.map((of) => textOf(of).sql).join(', ')})`))
const concatWith = takes(2, 50, ([by, ...rest]) =>
  text(`concat_ws(${string(by!)}, ${rest.map((of) => textOf(of).sql).join(', ')})`),
)

const substring = takes(2, 3, ([s, from, length]) => {
  if (from!.kind !== 'integer')
    throw new Untranslatable('substring takes a position', "Match with s ~ 'pattern' instead.")
  const [of, at] = [string(s!), whole(from)]
  // PostgreSQL counts characters before the first one, too; greatest() would take NULL for nothing.
  if (!length) return text(`CASE WHEN (${at}) < 1 THEN ${of} ELSE substring(${of}, ${at}) END`)
  const n = whole(length)
  return text(
    `CASE WHEN (${at}) IS NULL OR (${of}) IS NULL THEN NULL WHEN (${n}) < 0 THEN fail(${n})::VARCHAR ` +
      `WHEN (${at}) < 1 THEN substring(${of}, 1, CASE WHEN (${at}) + (${n}) < 1 THEN 0 ELSE (${at}) + (${n}) - 1 END) ` +
      `ELSE substring(${of}, ${at}, ${n}) END`,
  )
})
const endOf = (name: 'left' | 'right') => takes(2, 2, ([s, n]) => text(`${name}(${string(s!)}, ${whole(n)})`))
/** What is made up must stay small. */
export const longestPadding = 1000
const padLength = (n: string) =>
  `(CASE WHEN (${n}) > ${longestPadding} THEN fail(${n}) WHEN (${n}) < 0 THEN 0 ELSE (${n}) END)::INTEGER`
const padded = (name: 'lpad' | 'rpad') =>
  takes(2, 3, ([s, n, fill]) => text(`${name}(${string(s!)}, ${padLength(whole(n))}, ${fill ? string(fill) : "' '"})`))
const position = takes(2, 2, ([s, part]) => integer(`strpos(${string(s!)}, ${string(part!)})::BIGINT`))
/** Only of texts in which DuckDB's ß is PostgreSQL's. */
const upper = takes(1, 1, ([s]) => text(`replace(upper(${string(s!)}), 'ẞ', 'ß')`))

/**
 * Every function of values: what is not here is refused. All of them are the same for the same arguments, whenever asked. What may give a longer
 * text than all that it takes is in text-volume.ts, too.
 */
export const valueFunctions: { readonly [name: string]: ValueFunction } = {
  abs: absolute,
  age,
  btrim: trim('trim'),
  cbrt: inDoubles('cbrt'),
  ceil: toWhole('ceil'),
  ceiling: toWhole('ceil'),
  char_length: ofText('length', 'integer'),
  character_length: ofText('length', 'integer'),
  concat,
  concat_ws: concatWith,
  contains: takes(2, 2, ([s, part]) => boolean(`contains(${string(s!)}, ${string(part!)})`)),
  date_diff: datesApart,
  date_part: extract('date_part'),
  date_trunc: truncatedDate,
  datediff: datesApart,
  day: fieldFunction('day'),
  dayname: dateName('dayname'),
  dayofmonth: fieldFunction('day'),
  dayofweek: fieldFunction('dow'),
  dayofyear: fieldFunction('doy'),
  ends_with: takes(2, 2, ([s, part]) => boolean(`ends_with(${string(s!)}, ${string(part!)})`)),
  exp: inDoubles('exp'),
  extract: extract('extract'),
  floor: toWhole('floor'),
  greatest: sameKind('greatest'),
  isodow: fieldFunction('isodow'),
  least: sameKind('least'),
  left: endOf('left'),
  length: ofText('length', 'integer'),
  ln: inDoubles('ln'),
  log: inDoubles('log10'),
  log10: inDoubles('log10'),
  lower: ofText('lower'),
  lpad: padded('lpad'),
  ltrim: trim('ltrim'),
  make_date: takes(3, 3, (args) => typed(`make_date(${args.map((n) => whole(n)).join(', ')})`, 'date')),
  mod: takes(2, 2, ([a, b]) => operation('%', a!, b!)),
  month: fieldFunction('month'),
  monthname: dateName('monthname'),
  position,
  pow: takes(2, 2, ([a, b]) => operation('^', a!, b!)),
  power: takes(2, 2, ([a, b]) => operation('^', a!, b!)),
  quarter: fieldFunction('quarter'),
  replace: replaced,
  right: endOf('right'),
  round: rounded,
  rpad: padded('rpad'),
  rtrim: trim('rtrim'),
  sign: signOf,
  split_part: takes(3, 3, ([s, by, n]) => text(`split_part(${string(s!)}, ${string(by!)}, ${whole(n)})`)),
  sqrt: inDoubles('sqrt'),
  starts_with: takes(2, 2, ([s, part]) => boolean(`starts_with(${string(s!)}, ${string(part!)})`)),
  strftime: formatted,
  strpos: position,
  substr: substring,
  substring,
  to_char: written,
  trim: trim('trim'),
  trunc: truncated,
  upper,
  week: fieldFunction('week'),
  weekofyear: fieldFunction('week'),
  width_bucket: takes(4, 4, widthBucket),
  year: fieldFunction('year'),
}

/** NULLIF(a, b). */
export const nullIf = (a: Translated, b: Translated): Translated => {
  const known = a.literal === undefined ? a : as(a, unified([a, b]).kind)
  return typed(`CASE WHEN ${compared('=', a, b).sql} THEN NULL ELSE ${known.sql} END`, known.kind, known.digits)
}
