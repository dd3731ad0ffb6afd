import { multiply, one, rational } from '../../../numeric/index.ts'
import type { Universe } from '../../../schema/index.ts'
import type { Factor, Grouping, Indicator, LinearQuery, Term } from '../../linear-query.ts'
import type { Box } from '../condition/boxes.ts'
import { codesIn, count, covers, everything, intersect, isContiguous, type Ranges } from '../condition/ranges.ts'
import { maxTerms, tooManyTerms } from '../work.ts'
import { type Moment, valueCodes, weightOf } from './moment.ts'

/**
 * Lists and tables of up to this many codes stand in a query as they are, and so do longer lists of scattered codes;
 * else there is one term per range, so that a query about millions of codes stays small.
 */
const maxListed = 1024
const isListed = (codes: Ranges) => count(codes) <= Math.max(maxListed, 2 * codes.length)

/** The GROUP BY of a statement: its axes as queries have them, and by attribute the codes that are in some group. */
export interface Groups {
  readonly by: readonly Grouping[]
  readonly codes: ReadonlyMap<number, Ranges>
}

export const indicator = (codes: Ranges): Indicator =>
  isContiguous(codes)
    ? { kind: 'interval', from: codes[0]!, to: codes[1]! }
    : { kind: 'set', codes: [...codesIn(codes)] }

/** Σ over the records in the boxes of the product of moments, per group. No terms: nothing can ever be counted. */
export function weigh(
  boxes: readonly Box[],
  moments: readonly Moment[],
  groups: Groups,
  universe: Universe,
): LinearQuery {
  const terms = boxes.flatMap((box) => termsOf(box, moments, groups, universe))
  if (terms.length > maxTerms) throw tooManyTerms(terms.length)
  const step = moments.reduce((s, m) => multiply(s, m.power === 2 ? multiply(m.step, m.step) : m.step), one)
  return { by: groups.by, terms, step: terms.length > 0 ? step : rational(1) }
}

function termsOf(box: Box, moments: readonly Moment[], groups: Groups, universe: Universe): Term[] {
  const byAttribute = new Map(moments.map((m) => [universe.index.get(m.attribute.name)!, m]))
  const looked = new Set([...box.keys(), ...byAttribute.keys()])
  let products: (readonly (readonly [string, Factor])[])[] = [[]]
  for (const index of [...looked].sort((a, b) => a - b)) {
    const { name, size } = universe.attributes[index]!
    const choices = factors(index, size, box, byAttribute.get(index), groups)
    if (choices === 'all') continue
    if (products.length * choices.length > maxTerms) throw tooManyTerms(products.length * choices.length)
    products = products.flatMap((p) => choices.map((f) => [...p, [name, f] as const]))
  }
  return products.map((p) => ({ coefficient: 1, factors: Object.fromEntries(p) }))
}

/** Factors whose sum is what the attribute contributes; 'all' when it does not matter, [] when it rules everything out. */
function factors(
  index: number,
  size: number,
  box: Box,
  moment: Moment | undefined,
  groups: Groups,
): readonly Factor[] | 'all' {
  const grouped = groups.codes.get(index) ?? everything(size)
  const codes = intersect(box.get(index) ?? everything(size), grouped)
  if (!moment) return covers(codes, grouped) ? 'all' : indicators(codes)
  return values(moment, valueCodes(moment.attribute, codes), size)
}

const pairs = (codes: Ranges): [number, number][] =>
  Array.from({ length: codes.length / 2 }, (_, i) => [codes[2 * i]!, codes[2 * i + 1]!])

function indicators(codes: Ranges): readonly Factor[] {
  if (codes.length === 0) return []
  if (isContiguous(codes) || isListed(codes)) return [indicator(codes)]
  return pairs(codes).map(([from, to]) => ({ kind: 'interval', from, to }))
}

function values(moment: Moment, codes: Ranges, size: number): readonly Factor[] {
  if (pairs(codes).every(([from, to]) => from === to && weightOf(moment, from) === 0)) return []
  const { slope, shift, power } = moment
  if (!moment.table && (isContiguous(codes) || size > maxListed))
    return pairs(codes).map(([from, to]) => ({ kind: 'value', slope, shift, power, from, to }))
  const table = new Array<number>(size).fill(0)
  for (const code of codesIn(codes)) table[code] = weightOf(moment, code)
  return [{ kind: 'table', values: table }]
}
