import { one } from '../../../numeric/index.ts'
import type { Interval, LinearQuery } from '../../../query/index.ts'
import { type Attribute, isOrdered, type Universe, usage, valueCount } from '../../../schema/index.ts'
import { refuseTooMany } from './limits.ts'

/** A count over an interval of codes of each of these attributes. */
const range = (intervals: { readonly [attribute: string]: Interval }): LinearQuery => ({
  by: [],
  terms: [{ coefficient: 1, factors: intervals }],
  step: one,
})

/**
 * Random ranges, no two alike: each over one to three attributes that have an order (over any where none has), each of its
 * intervals between two values drawn uniformly. Fewer where there are not so many.
 */
export function randomRanges(universe: Universe, count: number, random: () => number): LinearQuery[] {
  if (!Number.isInteger(count) || count < 1) throw usage('the number of ranges must be a whole number above 0')
  refuseTooMany(count)
  const ordered = universe.attributes.filter(isOrdered)
  const among = ordered.length > 0 ? ordered : universe.attributes
  const found = new Map<string, LinearQuery>()
  // Enough tries to find nearly all where all are asked for.
  for (let tries = 0; found.size < count && tries < 20 * count; tries++) {
    const axes = 1 + Math.floor(random() * Math.min(3, among.length))
    const factors = Object.fromEntries(choice(among, axes, random).map((a) => [a.name, interval(a, random)]))
    found.set(JSON.stringify(factors), range(factors))
  }
  return [...found.values()]
}

/** So many of these, in their own order. */
function choice(among: readonly Attribute[], count: number, random: () => number): Attribute[] {
  const chosen = new Set<Attribute>()
  while (chosen.size < count) chosen.add(among[Math.floor(random() * among.length)]!)
  return among.filter((a) => chosen.has(a))
}

function interval(attribute: Attribute, random: () => number): Interval {
  const code = () => Math.floor(random() * valueCount(attribute))
  const [x, y] = [code(), code()]
  return { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) }
}
