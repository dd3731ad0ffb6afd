import { one, type Rational } from '../numeric/index.ts'
import { attributeNamed, problem, type Universe } from '../schema/index.ts'

/**
 * The one kind of question: Σ over records of w(record)·step, where w is a sum of terms and each term a product of
 * integer functions of single attributes. With `by`, one such sum per group; a record counts in at most one group.
 * Plain data: it is what the ledger stores.
 */
export interface LinearQuery {
  /** Groups, one axis per entry; the answer is a vector over their product, the last axis running fastest. [] is a scalar. */
  readonly by: readonly Grouping[]
  /** May overlap: w is their sum. No term at all is the query that is 0 everywhere. */
  readonly terms: readonly Term[]
  /** The unit of the answer and of its noise; positive. */
  readonly step: Rational
}

/** Without `groups` every code is a group of its own; else these disjoint sets of codes, and other codes are left out. */
export interface Grouping {
  readonly attribute: string
  readonly groups?: readonly Indicator[]
}

export interface Term {
  /** An integer. */
  readonly coefficient: number
  /** By attribute name; an attribute without a factor does not matter. */
  readonly factors: { readonly [attribute: string]: Factor }
}

/** A function from an attribute's codes to the integers. */
export type Factor = Indicator | ValueFactor | TableFactor
export type Indicator = Interval | CodeSet
/** 1 on the codes from … to, both included; 0 elsewhere. */
export interface Interval {
  readonly kind: 'interval'
  readonly from: number
  readonly to: number
}
/** 1 on these codes (ascending), 0 elsewhere. */
interface CodeSet {
  readonly kind: 'set'
  readonly codes: readonly number[]
}
/** (slope·code + shift)^power on the codes from … to, 0 elsewhere: an attribute's value in steps, or its square. */
export interface ValueFactor {
  readonly kind: 'value'
  readonly slope: number
  readonly shift: number
  readonly power: 1 | 2
  readonly from: number
  readonly to: number
}
/** Any integers, one per code. */
interface TableFactor {
  readonly kind: 'table'
  readonly values: readonly number[]
}

/** COUNT(*). Its terms and its step are those of every marginal, also where it is priced: nobody can change them. */
export const countAll: LinearQuery = Object.freeze({
  by: Object.freeze([]),
  terms: Object.freeze([Object.freeze({ coefficient: 1, factors: Object.freeze({}) })]),
  step: one,
})

/** The full marginal over a set of attributes: one count per combination of their codes. */
export const marginal = (attributes: readonly string[]): LinearQuery => ({
  ...countAll,
  by: attributes.map((attribute) => ({ attribute })),
})

/** The attributes of a full, unfiltered marginal (none: COUNT(*)); undefined for any other query. */
export const marginalOver = (q: LinearQuery): readonly string[] | undefined =>
  isMarginal(q) ? q.by.map((g) => g.attribute) : undefined

/** Whether a query is a full, unfiltered marginal. */
export function isMarginal({ by, terms, step }: LinearQuery): boolean {
  if (terms.length !== 1 || terms[0]!.coefficient !== 1 || step.num !== 1n || step.den !== 1n) return false
  for (const _ in terms[0]!.factors) return false
  return by.every((g) => g.groups === undefined)
}

/** The factor's integers, one per code of an attribute with `size` codes: 1 everywhere if there is none. */
export function factorTable(f: Factor | undefined, size: number): Float64Array {
  if (!f) return new Float64Array(size).fill(1)
  if (f.kind === 'table') return Float64Array.from(f.values)
  const table = new Float64Array(size)
  if (f.kind === 'set') for (const code of f.codes) table[code] = 1
  else if (f.kind === 'interval') table.fill(1, f.from, f.to + 1)
  else for (let c = f.from; c <= f.to; c++) table[c] = (f.slope * c + f.shift) ** f.power
  return table
}

/** The factor at one code. */
export function factorAt(f: Factor, code: number): number {
  switch (f.kind) {
    case 'interval':
      return code >= f.from && code <= f.to ? 1 : 0
    case 'set':
      return f.codes.includes(code) ? 1 : 0
    case 'value':
      return code >= f.from && code <= f.to ? (f.slope * code + f.shift) ** f.power : 0
    case 'table':
      return f.values[code]!
  }
}

/** Number of groups on each axis. */
export const axisSizes = (q: LinearQuery, u: Universe): number[] =>
  q.by.map((g) => g.groups?.length ?? attributeNamed(u, g.attribute).size)

/** Number of cells in the answer: 1 for a scalar. */
export function answerSize(q: LinearQuery, u: Universe): number {
  let size = 1
  for (const g of q.by) size *= g.groups?.length ?? attributeNamed(u, g.attribute).size
  return size
}

/** Answers with more cells than this (512 MB) are refused: they must fit in memory. */
export const maxAnswerSize = 2 ** 26

/** The group of a code on an axis; -1 when it is left out. */
export const groupOf = (g: Grouping, code: number): number =>
  g.groups ? g.groups.findIndex((indicator) => factorAt(indicator, code) === 1) : code

/** w at one cell of the universe (codes in the universe's order), in steps: what a record there adds to its group. */
export function weightAt(q: LinearQuery, u: Universe, cell: ArrayLike<number>): number {
  if (q.by.some((g) => groupOf(g, cell[u.index.get(g.attribute)!]!) < 0)) return 0
  let sum = 0
  for (const term of q.terms) {
    let product = term.coefficient
    for (const name in term.factors) product *= factorAt(term.factors[name]!, cell[u.index.get(name)!]!)
    sum += product
  }
  return sum
}

/** The attributes that w or the grouping looks at, in the universe's order. */
export function attributesOf(q: LinearQuery, u: Universe): string[] {
  const names = q.by.map((g) => g.attribute)
  for (const t of q.terms) for (const name in t.factors) if (!names.includes(name)) names.push(name)
  return names.sort((a, b) => u.index.get(a)! - u.index.get(b)!)
}

const largest = (f: Factor): number => {
  switch (f.kind) {
    case 'interval':
    case 'set':
      return 1
    case 'value':
      return Math.max(Math.abs(f.slope * f.from + f.shift), Math.abs(f.slope * f.to + f.shift)) ** f.power
    case 'table':
      return f.values.reduce((m, v) => Math.max(m, Math.abs(v)), 0)
  }
}

const invalid = (message: string) => problem('query-invalid', message)

const isCode = (c: number, size: number) => Number.isInteger(c) && c >= 0 && c < size

function checkFactor(f: Factor, size: number): void {
  if (f.kind === 'set') {
    if (!f.codes.every((c, i) => isCode(c, size) && (i === 0 || c > f.codes[i - 1]!)))
      throw invalid('a set of codes is not ascending or leaves the domain')
  } else if (f.kind === 'table') {
    if (f.values.length !== size || !f.values.every(Number.isSafeInteger))
      throw invalid('a factor table must hold one integer per code')
  } else if (f.kind !== 'interval' && f.kind !== 'value') {
    throw invalid('a factor is an interval, a set, a value function or a table')
  } else {
    if (!(isCode(f.from, size) && isCode(f.to, size) && f.from <= f.to))
      throw invalid('an interval of codes is empty or leaves the domain')
    if (f.kind === 'value') {
      const integers = Number.isSafeInteger(f.slope) && Number.isSafeInteger(f.shift)
      if (!(integers && (f.power === 1 || f.power === 2)))
        throw invalid('a value factor needs integers and a power of 1 or 2')
      // Both parts, not their sum alone: where they cancel, slope·code could have lost its last digit.
      if (!(Math.abs(f.slope) * f.to + Math.abs(f.shift) <= Number.MAX_SAFE_INTEGER))
        throw invalid('a value factor leaves the integers below 2^53')
    }
  }
}

/**
 * Throws unless the query is well formed over the universe: known attributes, codes inside their domains, disjoint
 * groups, integers only, and |w| certainly below 2^53, so that w is exact in a double. Trusted code calls it on
 * everything it is handed.
 */
export function checkQuery(q: LinearQuery, u: Universe): void {
  if (q.step.num <= 0n || q.step.den <= 0n) throw invalid('a query needs a positive step')
  let cells = 1
  for (let i = 0; i < q.by.length; i++) {
    const g = q.by[i]!
    const { size } = attributeNamed(u, g.attribute)
    cells *= g.groups?.length ?? size
    for (let j = 0; j < i; j++)
      if (q.by[j]!.attribute === g.attribute) throw invalid(`${g.attribute} is grouped by twice`)
    if (!g.groups) continue
    for (const indicator of g.groups) {
      if (indicator.kind !== 'interval' && indicator.kind !== 'set')
        throw invalid('a group must be a set or an interval')
      checkFactor(indicator, size)
    }
    if (overlap(g.groups)) throw invalid(`the groups of ${g.attribute} overlap`)
  }
  if (cells > maxAnswerSize) throw invalid(`the answer would have more than ${maxAnswerSize} cells`)
  let bound = 0
  for (const term of q.terms) {
    if (!Number.isSafeInteger(term.coefficient)) throw invalid('coefficients must be integers')
    let size = Math.abs(term.coefficient)
    for (const name in term.factors) {
      const f = term.factors[name]!
      checkFactor(f, attributeNamed(u, name).size)
      // A factor of 0 must not hide the others: products are exact on the way, too.
      size *= Math.max(1, largest(f))
    }
    bound += size
  }
  if (!(bound <= Number.MAX_SAFE_INTEGER)) throw invalid('the query gives a single record a weight beyond 2^53 steps')
}

/** Whether any two have a code in common. Intervals are looked at by their ends: they may hold millions of codes. */
function overlap(groups: readonly Indicator[]): boolean {
  const ranges = groups.flatMap((g) =>
    g.kind === 'set' ? g.codes.map((c) => [c, c] as const) : [[g.from, g.to] as const],
  )
  ranges.sort(([a], [b]) => a - b)
  return ranges.some(([from], i) => i > 0 && from <= ranges[i - 1]![1])
}
