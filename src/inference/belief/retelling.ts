import { strides, toNumber } from '../../numeric/index.ts'
import {
  answerSize,
  axisSizes,
  canonicalJson,
  factorTable,
  groupOf,
  isMarginal,
  type LinearQuery,
  queryKey,
  queryToJson,
} from '../../query/index.ts'
import { attributeNamed, type Universe } from '../../schema/index.ts'
import { cellQuery } from '../blue/cell-query.ts'
import type { Law, Term } from '../error-law/law.ts'

/** A measurement with noise. */
interface NoisyTable {
  readonly query: LinearQuery
  readonly law: Law
  /** In steps of the query. */
  readonly values: ArrayLike<number | bigint>
}

/** What one measurement alone says about the groups of a question: sums of its own numbers. */
export interface Retelling {
  /** One number per group, in the data's units; NaN where nothing is said. */
  readonly values: Float64Array
  /** Which of the errors below a group's number has. */
  readonly kinds: Int32Array
  readonly errors: readonly (readonly Term[])[]
}

/** Up to so many groups are looked up one by one. */
const mostGroups = 10_000

/** Of those measurements of whose numbers the groups are sums. */
export function retellingsOf(tables: readonly NoisyTable[], question: LinearQuery, u: Universe): Retelling[] {
  const groups = answerSize(question, u)
  let places: ReadonlyMap<string, number> | undefined
  return tables.flatMap((table) => {
    const isOne = table.query.by.length === 0 && groups > 1 && groups <= mostGroups
    if (isOne) places ??= placesOf(question, u, groups)
    const place = isOne ? places!.get(queryKey(table.query)) : undefined
    const weights = place === undefined ? cellWeights(table.query, question, u) : oneGroup(table.query, place)
    return weights ? [summed(table, weights, groups)] : []
  })
}

/** The groups as queries of their own. */
const placesOf = (question: LinearQuery, u: Universe, groups: number): Map<string, number> =>
  new Map(Array.from({ length: groups }, (_, group) => [queryKey(cellQuery(question, u, group)), group]))

/** Calls back with each of a measurement's numbers that counts, the group that it counts in, and its coefficient. */
type CellWeights = (visit: (cell: number, group: number, coefficient: number) => void) => void

/** A single number that is one of the groups. */
const oneGroup =
  ({ step }: LinearQuery, group: number): CellWeights =>
  (visit) =>
    visit(0, group, toNumber(step))

/** A table that is grouped more finely: by more attributes, or by all that the question's conditions look at. */
function cellWeights(query: LinearQuery, question: LinearQuery, u: Universe): CellWeights | undefined {
  const isSame = canonicalJson(termsOf(query)) === canonicalJson(termsOf(question))
  if (!isSame && !isMarginal(query)) return undefined
  const places = new Map(query.by.map(({ attribute }, axis) => [attribute, axis]))
  const looked = isSame ? [] : question.terms.flatMap(({ factors }) => Object.keys(factors))
  if (![...question.by.map(({ attribute }) => attribute), ...looked].every((name) => places.has(name))) return undefined
  const byAxis = axisGroups(query, question, u)
  if (!byAxis) return undefined
  const sizes = axisSizes(query, u)
  const terms = question.terms.map(({ coefficient, factors }) => ({
    coefficient,
    tables: Object.entries(factors).map(
      ([name, f]) => [places.get(name)!, factorTable(f, attributeNamed(u, name).size)] as const,
    ),
  }))
  const weight = (codes: Int32Array) =>
    terms.reduce(
      (sum, { coefficient, tables }) => sum + tables.reduce((p, [axis, t]) => p * t[codes[axis]!]!, coefficient),
      0,
    )
  const step = toNumber(question.step)
  return (visit) => {
    const codes = new Int32Array(sizes.length)
    const cells = sizes.reduce((n, size) => n * size, 1)
    for (let cell = 0; cell < cells; cell++) {
      let group = 0
      for (let i = 0; i < byAxis.length; i++) group += byAxis[i]![codes[i]!]!
      const times = isSame ? 1 : group >= 0 ? weight(codes) : 0
      if (group >= 0 && times !== 0) visit(cell, group, times * step)
      for (let i = sizes.length - 1; i >= 0 && ++codes[i]! === sizes[i]; i--) codes[i] = 0
    }
  }
}

const termsOf = (query: LinearQuery) => queryToJson({ ...query, by: [] })

/** Per axis of the finer query what its groups add to the place of the question's group: far below 0 where they count in none. */
function axisGroups(query: LinearQuery, question: LinearQuery, u: Universe): Float64Array[] | undefined {
  const steps = strides(axisSizes(question, u))
  const made = query.by.map((own, axis) => {
    const place = question.by.findIndex(({ attribute }) => attribute === own.attribute)
    const size = axisSizes(query, u)[axis]!
    // Over an attribute that is not asked about, the sum must be over all of its codes.
    if (place < 0) return own.groups ? undefined : new Float64Array(size)
    const wanted = question.by[place]!
    const isSame = canonicalJson(own) === canonicalJson(wanted)
    if (own.groups && !isSame) return undefined
    return Float64Array.from({ length: size }, (_, code) => {
      const group = isSame ? code : groupOf(wanted, code)
      return group < 0 ? Number.NEGATIVE_INFINITY : group * steps[place]!
    })
  })
  return made.every((axis) => axis !== undefined) ? made : undefined
}

function summed({ law, values: numbers }: NoisyTable, weights: CellWeights, groups: number): Retelling {
  const values = new Float64Array(groups).fill(Number.NaN)
  const noises = new Noises(groups)
  weights((cell, group, coefficient) => {
    if (Number.isNaN(values[group])) values[group] = 0
    values[group]! += Number(numbers[cell]) * coefficient
    // Noise is as often above zero as below.
    noises.add(group, Math.abs(coefficient))
  })
  return { values, ...noises.errors(law) }
}

/** How many noises of which size are in each group; nearly always they are of one. */
class Noises {
  readonly #size: Float64Array
  readonly #count: Int32Array
  readonly #others = new Map<number, Map<number, number>>()

  constructor(groups: number) {
    this.#size = new Float64Array(groups)
    this.#count = new Int32Array(groups)
  }

  add(group: number, size: number): void {
    if (this.#count[group] === 0) this.#size[group] = size
    if (this.#size[group] === size) this.#count[group]!++
    else {
      const own = this.#others.get(group) ?? new Map<number, number>()
      this.#others.set(group, own.set(size, (own.get(size) ?? 0) + 1))
    }
  }

  errors(law: Law): Pick<Retelling, 'kinds' | 'errors'> {
    const places = new Map<string, number>()
    const errors: Term[][] = []
    const kinds = Int32Array.from(this.#count, (count, group) => {
      const all = [[this.#size[group]!, count] as const, ...(this.#others.get(group) ?? [])]
      const key = all.join()
      const kind = places.get(key) ?? errors.push(all.map(([coefficient, count]) => ({ law, coefficient, count }))) - 1
      places.set(key, kind)
      return kind
    })
    return { kinds, errors }
  }
}
