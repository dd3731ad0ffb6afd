import { errorLawByCharacteristic, lawOf, type Term } from '../../inference/index.ts'
import { cholesky, type Triangle } from '../../numeric/index.ts'
import {
  canonicalJson,
  type Indicator,
  type Integers,
  type LinearQuery,
  type Measurement,
  noiseVariance,
} from '../../query/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { type Known, remembering } from '../known/known.ts'
import type { Family } from './family.ts'

/** Counts of all ranges of a family's records, each range from the code after one edge up to the next. */
interface Counted {
  readonly measurement: Measurement
  /** Of its ranges, with those before the first code and at the last. */
  readonly edges: readonly number[]
  readonly variance: number
  /** Ranges of a group in the measurement: maybe one more, of NULL. */
  readonly width: number
}

/** The least noise that is reckoned with, so that weights stay finite. */
const negligible = 1e-9
/** With more stretches between edges than this, the history as a whole is asked instead. */
const mostStretches = 400

/**
 * What counts of a family's own ranges say together, by generalised least squares. The design is the same in every group, so one
 * factorisation and one law per cut serve all groups. Whatever else was released does not enter.
 */
export class RangeCounts {
  readonly #counted: readonly Counted[]
  readonly #edges: readonly number[]
  readonly #factor: Triangle
  readonly #sums: Float64Array[] = []
  readonly #laws = new Map<string, Known['made'] & { errorLaw: Known['errorLaw'] }>()

  private constructor(counted: readonly Counted[], edges: readonly number[], groups: number) {
    this.#counted = counted
    this.#edges = edges
    const size = edges.length - 1
    const matrix = Array.from({ length: size }, () => new Float64Array(size))
    for (const { edges: own, variance } of counted)
      for (const [first, last] of this.#ranges(own))
        for (let i = first; i < last; i++) for (let j = first; j < last; j++) matrix[i]![j]! += 1 / variance
    this.#factor = cholesky(matrix)
    for (let group = 0; group < groups; group++) this.#sums.push(this.#totals(group))
  }

  /** Undefined where there are none, or too many. */
  static in(book: Pick<Book, 'releases' | 'isRefined'>, family: Family, groups: number): RangeCounts | undefined {
    const recorded = book.releases
      .filter(({ state }) => state === 'recorded')
      .flatMap(({ measurements }) => measurements)
    const counted = recorded.flatMap((m) => (book.isRefined(m.id) ? [] : (countedBy(m, family, groups) ?? [])))
    const edges = [...new Set(counted.flatMap((c) => c.edges))].sort((a, b) => a - b)
    if (counted.length === 0 || edges.length > mostStretches) return undefined
    return new RangeCounts(counted, edges, groups)
  }

  /** Whether nothing else was released. */
  isAll({ releases }: Pick<Book, 'releases'>): boolean {
    return releases.reduce((sum, { measurements }) => sum + measurements.length, 0) === this.#counted.length
  }

  /** The cuts at which something is known. */
  get cuts(): readonly number[] {
    return this.#edges.slice(1, -1)
  }

  /** Number of records that have a value. */
  records(group: number): number {
    return this.#sums[group]!.at(-1)!
  }

  /** Of that number, in any group. */
  get deviation(): number {
    return Math.sqrt(this.#law(this.#edges.length - 1, 0).variance)
  }

  /** F(cut) - share·N in a group, at one of the cuts. */
  excess(cut: number, share: number, group: number): Known {
    const place = this.#edges.indexOf(cut)
    const sums = this.#sums[group]!
    const { errorLaw, ...made } = this.#law(place, share)
    return { estimate: sums[place]! - share * sums.at(-1)!, made, errorLaw }
  }

  /** Cumulative counts at the edges. */
  #totals(group: number): Float64Array {
    const right = new Float64Array(this.#edges.length - 1)
    for (const { measurement, edges, variance, width } of this.#counted)
      this.#ranges(edges).forEach(([first, last], i) => {
        const value = numberAt(measurement.values, group * width + i) / variance
        for (let j = first; j < last; j++) right[j]! += value
      })
    this.#solve(right)
    const sums = new Float64Array(this.#edges.length)
    for (let i = 0; i < right.length; i++) sums[i + 1] = sums[i]! + right[i]!
    return sums
  }

  #law(place: number, share: number) {
    const key = `${place} ${share}`
    const known = this.#laws.get(key)
    if (known) return known
    const weights = Float64Array.from({ length: this.#edges.length - 1 }, (_, i) => (i < place ? 1 - share : -share))
    const solved = weights.slice()
    this.#solve(solved)
    const variance = weights.reduce((sum, w, i) => sum + w * solved[i]!, 0)
    const coefficients = this.#counted.flatMap(({ measurement, edges, variance: own }) =>
      this.#ranges(edges).map(([first, last]): Term => {
        let sum = 0
        for (let i = first; i < last; i++) sum += solved[i]!
        return { law: lawOf(measurement.law)!, coefficient: sum / own, count: 1 }
      }),
    )
    const rounding = { estimate: 1e-9 * Math.sqrt(variance), variance: 0 }
    const merged = together(coefficients)
    let errorLaw: ReturnType<Known['errorLaw']> | undefined
    const law = {
      variance,
      rounding,
      coefficients: merged,
      sources: [],
      errorLaw: () => {
        errorLaw ??= remembering(errorLawByCharacteristic(merged, { rounding: rounding.estimate }))
        return errorLaw
      },
    }
    this.#laws.set(key, law)
    return law
  }

  /** The stretches that each range of these edges is made of: from the first to before the last. */
  #ranges(own: readonly number[]): (readonly [first: number, last: number])[] {
    const places = own.map((edge) => this.#edges.indexOf(edge))
    return places.slice(1).map((place, i) => [places[i]!, place] as const)
  }

  #solve(right: Float64Array): void {
    this.#factor.solve(right)
    this.#factor.solveTransposed(right)
  }
}

const numberAt = (values: Integers, i: number): number => Number(values[i]!)

/** Noises of one law with one coefficient, put together. */
function together(terms: readonly Term[]): Term[] {
  const merged = new Map<string, Term>()
  for (const term of terms) {
    const coefficient = Number(Math.abs(term.coefficient).toPrecision(12))
    const key = `${JSON.stringify(term.law)} ${coefficient}`
    merged.set(key, { ...term, coefficient, count: (merged.get(key)?.count ?? 0) + term.count })
  }
  return [...merged.values()]
}

/** A measurement of the family's records in the same groups, in ranges of its attribute that leave nothing out. */
function countedBy(measurement: Measurement, family: Family, groups: number): Counted | undefined {
  const { query, law } = measurement
  const last = query.by.at(-1)
  if (law.kind === 'none' || last?.attribute !== family.attribute || keyOf(query, family) !== recordsKey(family))
    return undefined
  const edges = edgesOf(last.groups, family)
  const width = measurement.values.length / groups
  return edges && { measurement, edges, variance: Math.max(noiseVariance(law), negligible), width }
}

/** What is counted, apart from the ranges. */
const keyOf = ({ by, terms }: LinearQuery, family: Family): string =>
  canonicalJson([by.slice(0, -1), plainTerms(terms, family)])
const recordsKey = (family: Family): string =>
  canonicalJson([family.records.by, plainTerms(family.records.terms, family)])

/** A condition that every code of the attribute meets makes no difference here. */
const plainTerms = (terms: LinearQuery['terms'], { attribute, from, to }: Family) =>
  terms.map(({ coefficient, factors: { [attribute]: own, ...factors } }) => {
    const isAll = !own || (own.kind === 'interval' && own.from <= from && own.to >= to)
    return { coefficient, factors, own: isAll ? null : own }
  })

function edgesOf(groups: readonly Indicator[] | undefined, { from, to }: Family): number[] | undefined {
  if (!groups) {
    if (from > 0 || to >= mostStretches) return undefined
    return Array.from({ length: to + 2 }, (_, i) => i - 1)
  }
  const edges = [from - 1]
  for (const group of groups) {
    if (group.kind !== 'interval' || group.from !== edges.at(-1)! + 1) return undefined
    edges.push(group.to)
  }
  return edges.at(-1) === to ? edges : undefined
}
