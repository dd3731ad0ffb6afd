import { toText } from '../numeric/index.ts'
import {
  type Attribute,
  attributeNamed,
  binEdge,
  daysAt,
  decimalText,
  isCoarse,
  knownCodes,
  label,
  nullCode,
  type Universe,
} from '../schema/index.ts'
import type { Factor, Grouping, LinearQuery, Term } from './linear-query.ts'

/** A query in words, for plans and histories: "count where age 65 … 90 and sex = Female, by state". */
export function describe(q: LinearQuery, u: Universe): string {
  const parts = q.terms.map((term) => describeTerm(term, u))
  const shown = parts.length > 4 ? [...parts.slice(0, 3), `… ${parts.length - 3} more`] : parts
  const unit = toText(q.step) === '1' ? '' : ` in steps of ${toText(q.step)}`
  const by = q.by.length > 0 ? `, by ${q.by.map((g) => describeGrouping(g, u)).join(' and ')}` : ''
  return `${shown.join(' + ') || 'nothing'}${unit}${by}`
}

function describeTerm({ coefficient, factors }: Term, u: Universe): string {
  const entries = Object.entries(factors).map(([name, f]) => [attributeNamed(u, name), f] as const)
  const values = entries
    .filter(([, f]) => f.kind === 'value' || f.kind === 'table')
    .map(([a, f]) => describeValue(a, f))
  const conditions = entries.map(([a, f]) => describeCondition(a, f)).filter(Boolean)
  const times = coefficient === 1 ? '' : `${coefficient} × `
  const what = values.length > 0 ? `sum of ${values.join(' × ')}` : 'count'
  return `${times}${what}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`
}

function describeValue(a: Attribute, f: Factor): string {
  if (f.kind !== 'value') return `a function of ${a.name}`
  return f.power === 2 ? `${a.name}, centred and squared` : a.name
}

function describeCondition(a: Attribute, f: Factor): string {
  const name = (code: number) => label(a, code) ?? 'NULL'
  const last = knownCodes(a) - 1
  if (f.kind === 'table') return ''
  if (f.kind === 'set') {
    const shown = f.codes.slice(0, 5).map(name).join(', ')
    return `${a.name} in (${shown}${f.codes.length > 5 ? `, … ${f.codes.length - 5} more` : ''})`
  }
  if (f.from === 0 && f.to === last) return f.kind === 'value' || nullCode(a) < 0 ? '' : `${a.name} is not NULL`
  if (isCoarse(a) && f.to <= last) return describeCells(a, f.from, f.to)
  return f.from === f.to ? `${a.name} = ${name(f.from)}` : `${a.name} ${name(f.from)} … ${name(f.to)}`
}

/** The values that cells from … to stand for: numbers from an edge to below another, days from the first to the last. */
function describeCells(a: Attribute, from: number, to: number): string {
  if (a.kind === 'bins') return `${decimalText(binEdge(a, from))} ≤ ${a.name} < ${decimalText(binEdge(a, to + 1))}`
  return a.kind === 'date' ? `${a.name} ${daysAt(a, from)[0]} … ${daysAt(a, to)[1]}` : ''
}

const describeGrouping = (g: Grouping, u: Universe): string =>
  g.groups === undefined ? attributeNamed(u, g.attribute).name : `${g.groups.length} groups of ${g.attribute}`
