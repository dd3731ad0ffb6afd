import { parseRational, type Rational, toText } from '../numeric/index.ts'
import { ReticentError } from '../schema/index.ts'
import type { Factor, Grouping, Indicator, LinearQuery, Term } from './linear-query.ts'
import type { NoiseLaw } from './measurement.ts'

/** Text with sorted keys, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, v) =>
    v !== null && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : v,
  )

const corrupt = (what: string) => new ReticentError('query-invalid', {}, { message: `a stored ${what} cannot be read` })

const rationalFrom = (text: unknown): Rational => {
  const value = typeof text === 'string' ? parseRational(text) : undefined
  if (!value) throw corrupt('fraction')
  return value
}

export const queryToJson = (q: LinearQuery): unknown => ({ by: q.by, terms: q.terms, step: toText(q.step) })
export const lawToJson = (law: NoiseLaw): unknown =>
  law.kind === 'laplace'
    ? { kind: 'laplace', scale: toText(law.scale) }
    : law.kind === 'gaussian'
      ? { kind: 'gaussian', variance: toText(law.variance) }
      : { kind: 'none' }

const record = (value: unknown): Record<string, unknown> => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw corrupt('query')
  return value as Record<string, unknown>
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
  const f = record(value)
  switch (f.kind) {
    case 'interval':
      return { kind: 'interval', from: number(f.from), to: number(f.to) }
    case 'set':
      return { kind: 'set', codes: numbers(f.codes) }
    case 'value': {
      const power = number(f.power)
      if (power !== 1 && power !== 2) throw corrupt('query')
      return {
        kind: 'value',
        slope: number(f.slope),
        shift: number(f.shift),
        power,
        from: number(f.from),
        to: number(f.to),
      }
    }
    case 'table':
      return { kind: 'table', values: numbers(f.values) }
    default:
      throw corrupt('query')
  }
}
function indicatorFrom(value: unknown): Indicator {
  const f = factorFrom(value)
  if (f.kind !== 'interval' && f.kind !== 'set') throw corrupt('query')
  return f
}
function groupingFrom(value: unknown): Grouping {
  const { attribute, groups } = record(value)
  if (typeof attribute !== 'string') throw corrupt('query')
  return groups === undefined ? { attribute } : { attribute, groups: list(groups).map(indicatorFrom) }
}
function termFrom(value: unknown): Term {
  const t = record(value)
  const factors = Object.entries(record(t.factors)).map(([name, f]) => [name, factorFrom(f)] as const)
  return { coefficient: number(t.coefficient), factors: Object.fromEntries(factors) }
}

/** Reads what queryToJson wrote; checkQuery still has to hold it against a universe. */
export function queryFromJson(value: unknown): LinearQuery {
  const q = record(value)
  return { by: list(q.by).map(groupingFrom), terms: list(q.terms).map(termFrom), step: rationalFrom(q.step) }
}

export function lawFromJson(value: unknown): NoiseLaw {
  const law = record(value)
  if (law.kind === 'laplace') return { kind: 'laplace', scale: rationalFrom(law.scale) }
  if (law.kind === 'gaussian') return { kind: 'gaussian', variance: rationalFrom(law.variance) }
  if (law.kind === 'none') return { kind: 'none' }
  throw corrupt('noise law')
}
