import { parseRational, type Rational, toText } from '../numeric/index.ts'
import { problem } from '../schema/index.ts'
import type { Factor, Grouping, Indicator, LinearQuery, Term, ValueFactor } from './linear-query.ts'
import type { NoiseLaw } from './measurement.ts'

/** Text with sorted keys, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, v) =>
    v !== null && typeof v === 'object' && !Array.isArray(v) && !areSorted(Object.keys(v))
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : v,
  )
/** Most objects of long lists are: they need not be made again. */
function areSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i]! < keys[i - 1]!) return false
  return true
}

/** Equal as JSON, whatever the order of keys; large integers, too. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((part, i) => sameJson(part, b[i]))
  let more = 0
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !sameJson(a[key as never], b[key as never])) return false
    more++
  }
  for (const _ in b) more--
  return more === 0
}

const corrupt = (what: string) => problem('query-invalid', `a stored ${what} cannot be read`)

const rationalFrom = (text: unknown): Rational => {
  const value = typeof text === 'string' ? parseRational(text) : undefined
  if (!value) throw corrupt('fraction')
  return value
}

export const queryToJson = (q: LinearQuery): unknown => ({ by: q.by, step: toText(q.step), terms: q.terms })
/** Equal for queries that are written the same way, also after they were stored and read back. */
export const queryKey = (q: LinearQuery): string => canonicalJson(queryToJson(q))
export const lawToJson = (law: NoiseLaw): unknown =>
  law.kind === 'laplace'
    ? { kind: 'laplace', scale: toText(law.scale) }
    : law.kind === 'gaussian'
      ? { kind: 'gaussian', variance: toText(law.variance) }
      : { kind: 'none' }

/** An object with these keys alone: one that this version does not know could change what the rest means. */
function record<K extends string>(value: unknown, what: string, keys: readonly K[]): { [key in K]?: unknown } {
  const fields = plain(value, what)
  for (const key in fields) if (!keys.includes(key as K)) throw corrupt(what)
  return fields as { [key in K]?: unknown }
}
function plain(value: unknown, what: string): { [key: string]: unknown } {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw corrupt(what)
  return value as { [key: string]: unknown }
}
const list = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw corrupt('query')
  return value
}
const numbers = (value: unknown): number[] => list(value).map(number)
function number(value: unknown): number {
  if (typeof value !== 'number') throw corrupt('query')
  return value
}

function factorFrom(value: unknown): Factor {
  switch (plain(value, 'query').kind) {
    case 'interval': {
      const f = record(value, 'query', ['kind', 'from', 'to'])
      return { kind: 'interval', from: number(f.from), to: number(f.to) }
    }
    case 'set':
      return { kind: 'set', codes: numbers(record(value, 'query', ['kind', 'codes']).codes) }
    case 'value':
      return valueFrom(value)
    case 'table':
      return { kind: 'table', values: numbers(record(value, 'query', ['kind', 'values']).values) }
    default:
      throw corrupt('query')
  }
}
function valueFrom(value: unknown): ValueFactor {
  const f = record(value, 'query', ['kind', 'slope', 'shift', 'power', 'from', 'to'])
  const power = number(f.power)
  if (power !== 1 && power !== 2) throw corrupt('query')
  const [slope, shift, from, to] = [number(f.slope), number(f.shift), number(f.from), number(f.to)]
  return { kind: 'value', slope, shift, power, from, to }
}
function indicatorFrom(value: unknown): Indicator {
  const f = factorFrom(value)
  if (f.kind !== 'interval' && f.kind !== 'set') throw corrupt('query')
  return f
}
function groupingFrom(value: unknown): Grouping {
  const { attribute, groups } = record(value, 'query', ['attribute', 'groups'])
  if (typeof attribute !== 'string') throw corrupt('query')
  return groups === undefined ? { attribute } : { attribute, groups: list(groups).map(indicatorFrom) }
}
function termFrom(value: unknown): Term {
  const t = record(value, 'query', ['coefficient', 'factors'])
  const factors = { ...plain(t.factors, 'query') }
  for (const name in factors) factors[name] = factorFrom(factors[name])
  return { coefficient: number(t.coefficient), factors: factors as Term['factors'] }
}

/** Reads what queryToJson wrote; checkQuery still has to hold it against a universe. */
export function queryFromJson(value: unknown): LinearQuery {
  const q = record(value, 'query', ['by', 'terms', 'step'])
  return { by: list(q.by).map(groupingFrom), terms: list(q.terms).map(termFrom), step: rationalFrom(q.step) }
}

/** Reads what lawToJson wrote; pricing still has to see that a scale is positive. */
export function lawFromJson(value: unknown): NoiseLaw {
  const what = 'noise law'
  switch (plain(value, what).kind) {
    case 'laplace':
      return { kind: 'laplace', scale: rationalFrom(record(value, what, ['kind', 'scale']).scale) }
    case 'gaussian':
      return { kind: 'gaussian', variance: rationalFrom(record(value, what, ['kind', 'variance']).variance) }
    case 'none':
      record(value, what, ['kind'])
      return { kind: 'none' }
    default:
      throw corrupt(what)
  }
}
