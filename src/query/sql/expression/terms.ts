import { multiply, one, rational } from '../../../numeric/index.ts'
import { problem, type Universe } from '../../../schema/index.ts'
import type { Factor, Grouping, Indicator, LinearQuery, Term } from '../../linear-query.ts'
import type { Box } from '../condition/boxes.ts'
import {
  codesIn,
  count,
  covers,
  everything,
  fromCodes,
  intersect,
  isContiguous,
  type Ranges,
} from '../condition/ranges.ts'
import { maxTerms, tooManyTerms } from '../work.ts'
import { isJoint, type JointMoment, type Moment, unitOfMoment, weightOf } from './moment.ts'
import { productsOf } from './products.ts'

/**
 * Lists and tables of up to this many codes stand in a query as they are, and so do longer lists of scattered codes;
 * else there is one term per range, so that a query about millions of codes stays small.
 */
const maxListed = 1024
const isListed = (codes: Ranges) => count(codes) <= Math.max(maxListed, 2 * codes.length)
/** Tables of functions that do not rise evenly may be longer, up to what a ledger can well keep. */
const maxTable = 2 ** 16
/** Cells of several attributes over which a function of them may be added up. */
const maxCells = 1_000_000

/** The GROUP BY of a statement: its axes as queries have them, and by attribute the codes that are in some group. */
export interface Groups {
  readonly by: readonly Grouping[]
  readonly codes: ReadonlyMap<number, Ranges>
  /** Whether rows of the result are made of several groups. */
  readonly isMerged?: boolean
}

export const indicator = (codes: Ranges): Indicator =>
  isContiguous(codes)
    ? { kind: 'interval', from: codes[0]!, to: codes[1]! }
    : { kind: 'set', codes: [...codesIn(codes)] }

/** Σ over the records in the boxes of the product of moments, per group. No terms: nothing can ever be counted. */
export function weigh(
  boxes: readonly Box[],
  moments: readonly (Moment | JointMoment)[],
  groups: Groups,
  universe: Universe,
): LinearQuery {
  const terms = boxes.flatMap((box) => termsOf(box, moments, groups, universe))
  if (terms.length > maxTerms) throw tooManyTerms(terms.length)
  const step = moments.reduce((s, m) => multiply(s, unitOfMoment(m)), one)
  return { by: groups.by, terms, step: terms.length > 0 ? step : rational(1) }
}

type Factors = readonly (readonly [number, Factor])[]
interface Weighted {
  readonly coefficient: number
  readonly factors: Factors
}

function termsOf(box: Box, moments: readonly (Moment | JointMoment)[], groups: Groups, universe: Universe): Term[] {
  const left: CodesLeft = (index) => {
    const { size } = universe.attributes[index]!
    const grouped = groups.codes.get(index) ?? everything(size)
    return { codes: intersect(box.get(index) ?? everything(size), grouped), grouped }
  }
  const weighted = apart(moments).map((together) => {
    const [only] = together
    return together.length === 1 && !isJoint(only!)
      ? { looked: [universe.index.get(only!.attribute.name)!], of: alone(only!, left, universe) }
      : allTogether(together, left, universe)
  })
  const looked = weighted.flatMap((each) => each.looked)
  let products = weighted.reduce((all, { of }) => crossed(all, of), [
    { coefficient: 1, factors: [] },
  ] as readonly Weighted[])
  for (const index of box.keys()) {
    if (looked.includes(index)) continue
    const { codes, grouped } = left(index)
    if (covers(codes, grouped)) continue
    products = crossed(
      products,
      indicators(codes).map((f) => ({ coefficient: 1, factors: [[index, f]] })),
    )
  }
  return products.map(({ coefficient, factors }) => ({
    coefficient,
    factors: Object.fromEntries(
      factors.toSorted(([a], [b]) => a - b).map(([index, f]) => [universe.attributes[index]!.name, f]),
    ),
  }))
}

type CodesLeft = (index: number) => { readonly codes: Ranges; readonly grouped: Ranges }

function crossed(products: readonly Weighted[], choices: readonly Weighted[]): Weighted[] {
  if (products.length * choices.length > maxTerms) throw tooManyTerms(products.length * choices.length)
  return products.flatMap((p) =>
    choices.map((c) => ({ coefficient: p.coefficient * c.coefficient, factors: [...p.factors, ...c.factors] })),
  )
}

/** Moments that share no attribute are multiplied; those that share one, directly or by others between, stay together. */
function apart(moments: readonly (Moment | JointMoment)[]): (Moment | JointMoment)[][] {
  let groups: (Moment | JointMoment)[][] = []
  for (const m of moments) {
    const meets = (group: readonly (Moment | JointMoment)[]) =>
      group.some((other) => lookedAt(other).some((a) => lookedAt(m).includes(a)))
    groups = [...groups.filter((group) => !meets(group)), [...groups.filter(meets).flat(), m]]
  }
  return groups
}
const lookedAt = (m: Moment | JointMoment) => (isJoint(m) ? m.attributes : [m.attribute])

/** What a moment of one attribute contributes. */
function alone(m: Moment, left: CodesLeft, universe: Universe): Weighted[] {
  const index = universe.index.get(m.attribute.name)!
  const codes = intersect(left(index).codes, m.codes)
  return values(m, codes, m.attribute.size).map((f) => ({ coefficient: 1, factors: [[index, f]] }))
}

const pairs = (codes: Ranges): [number, number][] =>
  Array.from({ length: codes.length / 2 }, (_, i) => [codes[2 * i]!, codes[2 * i + 1]!])

/** Factors whose sum is 1 on the codes; [] when there are none. */
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
  checkTable(moment.attribute.name, size)
  return [{ kind: 'table', values: table }]
}

function checkTable(name: string, size: number): void {
  if (size > maxTable)
    throw problem(
      'sql-unsupported',
      `${name} has ${size} values, too many for a sum of this function of it`,
      'Add up the attribute itself, or counts of conditions on it.',
    )
}

/** Moments that share attributes, or look at several: their product at every cell, taken apart into products again. */
function allTogether(moments: readonly (Moment | JointMoment)[], left: CodesLeft, universe: Universe) {
  const names = new Set(moments.flatMap(lookedAt))
  const attributes = universe.attributes.filter((a) => names.has(a))
  const sizes = attributes.map((a) => a.size)
  const cells = sizes.reduce((n, size) => n * size, 1)
  if (cells > maxCells)
    throw problem(
      'sql-unsupported',
      `a function of ${attributes.map((a) => a.name).join(' and ')} would have to be added up over ${cells} cells; at most ${maxCells} are allowed`,
      'Use fewer attributes in one expression.',
    )
  const looked = attributes.map((a) => universe.index.get(a.name)!)
  const summands = summandsOf(
    moments,
    attributes.map((a) => a.name),
    sizes,
  )
  const codes = looked.map((index) => left(index).codes)
  const of = summands.flatMap(({ times, table }) => {
    keepOnly(table, sizes, codes)
    const products = productsOf(table, sizes, maxTerms)
    if (!products) throw tooManyTerms(`more than ${maxTerms}`)
    return products.map((tables) => {
      const parts = tables.map((each, axis) => factorOf(each, left(looked[axis]!).grouped, attributes[axis]!.name))
      return {
        coefficient: parts.reduce((n, part) => n * part.coefficient, times),
        factors: parts.flatMap(({ factor }, axis) => (factor ? [[looked[axis]!, factor] as const] : [])),
      }
    })
  })
  return { looked, of }
}

/** Tables whose sum is wanted: (v - c)² is v² - 2cv + c², each of few products where v is; several moments are multiplied out. */
function summandsOf(moments: readonly (Moment | JointMoment)[], names: readonly string[], sizes: readonly number[]) {
  const [only, ...others] = moments
  if (others.length > 0 || !isJoint(only!)) return [{ times: 1, table: productTable(moments, names, sizes) }]
  const { table, known, centre, power } = only
  const all =
    power === 1
      ? [
          { times: 1, table: table.slice() },
          { times: -centre, table: known.slice() },
        ]
      : [
          { times: 1, table: table.map((v) => v * v) },
          { times: -2 * centre, table: table.slice() },
          { times: centre * centre, table: known.slice() },
        ]
  return all.filter(({ times }) => times !== 0)
}

/** The product of moments at every cell. */
function productTable(
  moments: readonly (Moment | JointMoment)[],
  names: readonly string[],
  sizes: readonly number[],
): Float64Array {
  const strides = sizes.map((_, i) => sizes.slice(i + 1).reduce((n, size) => n * size, 1))
  const table = new Float64Array(sizes.reduce((n, size) => n * size, 1)).fill(1)
  for (const m of moments) {
    const own = isJoint(m)
      ? { ...m, table: m.table.map((v, i) => m.known[i]! * (v - m.centre) ** m.power) }
      : singleTable(m)
    const axes = own.attributes.map(({ name }) => names.indexOf(name))
    for (let cell = 0; cell < table.length; cell++) {
      let at = 0
      for (const axis of axes) at = at * sizes[axis]! + (Math.floor(cell / strides[axis]!) % sizes[axis]!)
      table[cell]! *= own.table[at]!
    }
  }
  return table
}

function singleTable(m: Moment): Pick<JointMoment, 'attributes' | 'table'> {
  const table = new Float64Array(m.attribute.size)
  for (const code of codesIn(m.codes)) table[code] = weightOf(m, code)
  return { attributes: [m.attribute], table }
}

/** 0 wherever some axis has a code that is not left. */
function keepOnly(table: Float64Array, sizes: readonly number[], codes: readonly Ranges[]): void {
  let stride = table.length
  for (const [axis, size] of sizes.entries()) {
    stride /= size
    const kept = new Uint8Array(size)
    for (const code of codesIn(codes[axis]!)) kept[code] = 1
    for (let cell = 0; cell < table.length; cell++) if (!kept[Math.floor(cell / stride) % size]) table[cell] = 0
  }
}

/** A table as a factor: an indicator times a number where that is what it is, none where it is 1 on all that is grouped. */
function factorOf(table: Float64Array, grouped: Ranges, name: string): { coefficient: number; factor?: Factor } {
  const codes = fromCodes(table.keys().filter((code) => table[code] !== 0))
  const value = table[codes[0]!]!
  if (table.every((v) => v === 0 || v === value))
    return covers(codes, grouped) ? { coefficient: value } : { coefficient: value, factor: indicator(codes) }
  const even = table.length > maxListed ? evenFactor(table, codes) : undefined
  if (even) return { coefficient: 1, factor: even }
  checkTable(name, table.length)
  return { coefficient: 1, factor: { kind: 'table', values: [...table] } }
}

/** What rises or falls evenly from the first to the last code, and is 0 elsewhere: it may pass through 0 on its way. */
function evenFactor(table: Float64Array, codes: Ranges): Factor | undefined {
  const [from, to] = [codes[0]!, codes.at(-1)!]
  const slope = (table[to]! - table[from]!) / (to - from)
  const shift = table[from]! - slope * from
  for (let code = from; code <= to; code++) if (table[code] !== slope * code + shift) return undefined
  return Number.isSafeInteger(slope) ? { kind: 'value', slope, shift, power: 1, from, to } : undefined
}
