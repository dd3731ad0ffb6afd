import { toNumber } from '../../numeric/index.ts'
import { factorTable, type LinearQuery, type Term } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { type Column, columnOf } from './column.ts'
import { kept } from './kept.ts'

/** A scalar query made ready for inner products. Weights are in steps: integers. */
export interface Weights {
  readonly terms: readonly WeightTerm[]
  /** Length of a step in the data's own units. */
  readonly step: number
}
export interface WeightTerm {
  readonly coefficient: number
  /** Places of its attributes in the universe, ascending, and a column for each. */
  readonly attributes: readonly number[]
  readonly columns: readonly Column[]
  /** The number of the attribute set: terms with equal numbers have equal attributes. */
  readonly shape: number
}

/** Gives every set of attributes a number. */
export class Shapes {
  readonly #numbers = new Map<string, number>()

  of(attributes: readonly number[]): number {
    return kept(this.#numbers, attributes.join(), () => this.#numbers.size)
  }
}

/**
 * Terms that are 0 everywhere are dropped, and constant factors become numbers. An attribute with one code is dropped.
 */
export function compile(query: LinearQuery, u: Universe, shapes: Shapes): Weights {
  const terms = query.terms.flatMap((term) => compileTerm(term, u, shapes))
  return { terms: withOneConstant(terms), step: toNumber(query.step) }
}

function compileTerm({ coefficient: given, factors }: Term, u: Universe, shapes: Shapes): WeightTerm | [] {
  let coefficient = given
  const [attributes, columns]: [number[], Column[]] = [[], []]
  for (const name of Object.keys(factors)) {
    const place = u.index.get(name)!
    const column = columnOf(factors[name]!, u.attributes[place]!.size)
    const constant = constantOf(column)
    coefficient *= constant ?? 1
    if (constant === undefined) insert(place, column, attributes, columns)
  }
  if (coefficient === 0 || columns.some(({ from, to }) => from > to)) return []
  return { coefficient, attributes, columns, shape: shapes.of(attributes) }
}

/** A term has few attributes, and there are many terms: that is faster than to sort them. */
function insert(place: number, column: Column, attributes: number[], columns: Column[]): void {
  let at = attributes.length
  for (; at > 0 && attributes[at - 1]! > place; at--) {
    attributes[at] = attributes[at - 1]!
    columns[at] = columns[at - 1]!
  }
  attributes[at] = place
  columns[at] = column
}

/** What a column is at every code; undefined where that is not the same. */
function constantOf(column: Column): number | undefined {
  const { size, sum, interval, codes, factor, from, to } = column
  if (size === 1) return sum
  if (interval || codes) return sum === size ? 1 : undefined
  // A line takes no value twice, a square none three times.
  if (factor.kind === 'value' && factor.slope !== 0 && to - from >= 2) return undefined
  const table = factorTable(factor, size)
  return table.every((value) => value === table[0]) ? table[0] : undefined
}

/** Terms that are the same for every record are one, or none: what cancels needs no estimate. */
function withOneConstant(terms: readonly WeightTerm[]): readonly WeightTerm[] {
  const constants = terms.filter(({ attributes }) => attributes.length === 0)
  if (constants.length < 2) return terms
  const coefficient = constants.reduce((sum, term) => sum + term.coefficient, 0)
  const others = terms.filter(({ attributes }) => attributes.length > 0)
  return coefficient === 0 ? others : [...others, { ...constants[0]!, coefficient }]
}
