import { compare, divide, parseRational, type Rational, subtract, toText } from '../numeric/index.ts'
import { type Attribute, type AttributeDescription, attribute, maxCodes, valueCount } from './attribute.ts'
import { problem } from './error.ts'
import { binsFault } from './reader/bins.ts'
import { formatFault, isDay } from './reader/dates.ts'

/** Attributes as plain data, for a ledger to keep and compare. Sizes are left out: they follow. */
export const attributesToJson = (attributes: readonly Attribute[]): unknown =>
  attributes.map(({ size: _, ...a }) =>
    Object.fromEntries(
      Object.entries(a).map(([key, value]) => [key, Array.isArray(value) ? value.map(plain) : plain(value)]),
    ),
  )

const isRational = (value: unknown): value is Rational => typeof value === 'object' && value !== null && 'den' in value
const plain = (value: unknown): unknown => (isRational(value) ? toText(value) : value)

const corrupt = () => problem('ledger-corrupt', 'stored attributes cannot be read')

function want(holds: boolean): asserts holds {
  if (!holds) throw corrupt()
}
function text(value: unknown): string {
  want(typeof value === 'string')
  return value
}
function flag(value: unknown): boolean {
  want(typeof value === 'boolean')
  return value
}
function integer(value: unknown): number {
  want(Number.isSafeInteger(value))
  return value as number
}
function fraction(value: unknown): Rational {
  const read = parseRational(text(value))
  want(read !== undefined)
  return read
}

function fractions(value: unknown): Rational[] {
  want(Array.isArray(value))
  return value.map(fraction)
}

type Stored = { readonly [key: string]: unknown }
type Own<K extends Attribute['kind']> = Omit<Extract<AttributeDescription, { kind: K }>, 'name' | 'closed'>

/** What each kind has beside its name; a kind without a row does not compile. */
const readers: { [K in Attribute['kind']]: (stored: Stored) => Own<K> } = {
  boolean: () => ({ kind: 'boolean' }),
  integer: (s) => {
    const [low, high] = [integer(s.low), integer(s.high)]
    want(low <= high)
    return { kind: 'integer', low, high }
  },
  decimal: (s) => {
    const [low, high, step] = [fraction(s.low), fraction(s.high), fraction(s.step)]
    want(step.num > 0n && compare(low, high) <= 0 && divide(subtract(high, low), step).den === 1n)
    return { kind: 'decimal', low, high, step }
  },
  bins: (s) => {
    const [low, high, width] = [fraction(s.low), fraction(s.high), s.width === null ? null : fraction(s.width)]
    const [edges, stated] = [fractions(s.edges), fractions(s.stated)]
    const read = { kind: 'bins', low, high, width, edges, stated } as const
    want(binsFault(read) === undefined)
    return read
  },
  values: (s) => {
    want(Array.isArray(s.values) && s.values.length > 0)
    const values = s.values.map(text)
    want(new Set(values).size === values.length)
    return { kind: 'values', values, other: flag(s.other) }
  },
  date: (s) => {
    const [from, to, by, format] = [text(s.from), text(s.to), text(s.by), text(s.format)]
    want(isDay(from) && isDay(to) && from <= to && (by === 'day' || by === 'month' || by === 'year'))
    want(formatFault(format, by) === undefined)
    return { kind: 'date', from, to, by, format }
  },
}

function attributeFrom(value: unknown): Attribute {
  want(value !== null && typeof value === 'object' && !Array.isArray(value))
  const stored = value as Stored
  const kind = text(stored.kind)
  want(Object.hasOwn(readers, kind))
  const own = readers[kind as Attribute['kind']](stored)
  const read = { ...own, name: text(stored.name), closed: flag(stored.closed) } as AttributeDescription
  // A key that this version does not know could mean anything: refuse rather than overlook it.
  want(Object.keys(stored).every((key) => Object.hasOwn(read, key)))
  want(valueCount(read) + 2 <= maxCodes && read.name !== '' && !(read.name in {}))
  return attribute(read)
}

/** Reads what attributesToJson wrote; anything else is refused. */
export function attributesFromJson(value: unknown): Attribute[] {
  want(Array.isArray(value) && value.length > 0)
  const attributes = value.map(attributeFrom)
  want(new Set(attributes.map((a) => a.name)).size === attributes.length)
  return attributes
}
