import type { A_Const } from '@pgsql/types'
import { parseRational, type Rational, rational } from '../../../numeric/index.ts'
import { type Attribute, label, nearest, nullCode, otherCode } from '../../../schema/index.ts'
import { fault, quoteName, type Scope, unsupported } from '../scope.ts'
import { isDate } from './functions.ts'
import type { Computed, Constant, Scalar, ScalarType, Value } from './scalar.ts'

/** A literal of the grammar; 0 and false have no value in it, an empty text neither. undefined: a kind we do not know. */
export function literal(c: A_Const): Constant | undefined {
  if (c.isnull) return { kind: 'constant', type: 'null' }
  if (c.ival) return numberConstant(String(c.ival.ival ?? 0))
  if (c.fval) return numberConstant(c.fval.fval ?? '0')
  if (c.boolval) return { kind: 'constant', type: 'boolean', value: c.boolval.boolval ?? false }
  if (c.sval) return { kind: 'constant', type: 'string', value: c.sval.sval ?? '' }
  return undefined
}

/** PostgreSQL also writes whole numbers in other bases, and allows _ between digits. */
function numberConstant(text: string): Constant | undefined {
  const digits = text.replaceAll('_', '')
  const prefixed = /^(-?)(0[xob][0-9a-f]+)$/i.exec(digits)
  const value = prefixed ? rational(BigInt(`${prefixed[2]}`) * (prefixed[1] ? -1n : 1n)) : parseRational(digits)
  const integer = prefixed !== null || /^-?\d+$/.test(digits)
  return value && { kind: 'constant', type: 'number', value, text, integer }
}

/** '42' or '0.5', without the fractions that policies may use. */
export const numeral = (text: string): Rational | undefined => (text.includes('/') ? undefined : parseRational(text))

/** As much of a text as a message needs. */
const brief = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
const article: { readonly [K in ScalarType]: string } = {
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  date: "a date such as DATE '1990-05-01'",
}

/** The literal as a value of the scalar's type, as SQL coerces it; null is NULL. */
export function coerce(scope: Scope, node: unknown, constant: Constant, scalar: Scalar | Computed): Value | null {
  if (constant.type === 'null') return null
  const value = convert(constant, scalar)
  if (value !== undefined) return value
  const looksLikeDate =
    scalar.type === 'date' && constant.type === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(constant.value)
  if (looksLikeDate || (constant.type === 'date' && scalar.type === 'date'))
    throw unsupported(scope, node, `there is no date ${constant.value}`, 'Dates are written YYYY-MM-DD.')
  if (scalar.type === 'date' && constant.type === 'string' && /^\d{4}-\d{2}-\d{2}[ T]\d/.test(constant.value))
    throw unsupported(
      scope,
      node,
      `${scalar.attribute.name} is a date, and has no time of day`,
      `Compare it with the day: ${quote(constant.value.slice(0, 10))}.`,
    )
  throw unsupported(
    scope,
    node,
    `${scalar.attribute.name} is compared with something of another type`,
    `Compare it with ${article[scalar.type]}.`,
  )
}

/** The beginning of a day, as tools write it behind a date. */
const midnight = /[ T]00:00(:00(\.0+)?)?$/

function convert(constant: Exclude<Constant, { type: 'null' }>, scalar: Scalar | Computed): Value | undefined {
  const text = constant.type === 'string' ? constant.value : undefined
  switch (scalar.type) {
    case 'number':
      return constant.type === 'number' ? constant.value : text === undefined ? undefined : numeral(text)
    case 'text':
      return constant.type === 'number' ? constant.text : text
    case 'boolean':
      if (constant.type === 'boolean') return constant.value
      return text === undefined ? undefined : truth(text)
    case 'date': {
      const date = constant.type === 'date' ? constant.value : text?.replace(midnight, '')
      return date !== undefined && isDate(date) ? date : undefined
    }
  }
}

/** A text as PostgreSQL reads it where a boolean is meant: true, yes, on, 1, or a part of it that begins no other. */
function truth(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  const begins = (words: readonly string[]) => words.some((one) => one.startsWith(word))
  // The o of on and off begins both.
  if (word === '' || word === 'o') return undefined
  return begins(['true', 'yes', 'on', '1']) ? true : begins(['false', 'no', 'off', '0']) ? false : undefined
}

/** The labels of a values attribute: the listed values and, where there is one, 'other'. */
const labelsOf = (attribute: Attribute): string[] => {
  const size = attribute.size - (nullCode(attribute) < 0 ? 0 : 1)
  return Array.from({ length: size }, (_, code) => label(attribute, code)!)
}

const known = new WeakMap<Attribute, ReadonlyMap<string, readonly number[]>>()

/** The codes of each label, ascending; an attribute that lists 'other' and also has it, has that text twice. */
export function codesByLabel(attribute: Attribute): ReadonlyMap<string, readonly number[]> {
  let codes = known.get(attribute)
  if (!codes) {
    codes = Map.groupBy(labelsOf(attribute).keys(), (code) => label(attribute, code)!)
    known.set(attribute, codes)
  }
  return codes
}

/** The one label that a text is a part of, as Bachelor is of "Bachelor's degree", or that is a part of it. */
function onlyPart(text: string, labels: readonly string[]): string | undefined {
  const typed = text.trim().toLowerCase()
  if (typed.length < 2) return undefined
  const whole = labels.filter((each) => each.toLowerCase().includes(typed))
  const found =
    whole.length > 0 ? whole : labels.filter((each) => each.length > 2 && typed.includes(each.toLowerCase()))
  return found.length === 1 ? found[0] : undefined
}

/** The error for a text that is no listed value: equality with it would be a typing mistake far more often than meant. */
export function unlisted(scope: Scope, node: unknown, attribute: Attribute, text: string) {
  const near = nearest(text, labelsOf(attribute)) ?? onlyPart(text, labelsOf(attribute))
  const hints = [
    near !== undefined && `Did you mean ${quote(near)}?`,
    otherCode(attribute) >= 0 && `Values that are not listed are in 'other': ${quoteName(attribute.name)} = 'other'.`,
    near === undefined &&
      `Listed are ${labelsOf(attribute).slice(0, 8).map(quote).join(', ')}${attribute.size > 9 ? ', …' : ''}.`,
  ]
  return fault(
    scope,
    node,
    'unknown-name',
    `${quote(brief(text))} is not a listed value of ${attribute.name}`,
    hints.filter(Boolean).join(' '),
    { attribute: attribute.name, value: text, ...(near !== undefined && { nearest: near }) },
  )
}
