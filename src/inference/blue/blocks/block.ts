import type { LinearQuery } from '../../../query/index.ts'
import type { Law } from '../../error-law/law.ts'
import type { Column } from '../column.ts'
import type { Weights, WeightTerm } from '../compile.ts'
import type { Axis } from './axis.ts'
import type { Member, NoisyNumbers } from './part.ts'

/** One measurement as it was recorded. */
interface Recorded {
  readonly id: string
  readonly law: Law
  readonly variance: number
  readonly values: Float64Array
}

/** What tables see of an attribute: groups, a column, or both. */
export interface View {
  /** Equal views have equal numbers. */
  readonly number: number
  readonly place: number
  readonly axis: Axis | undefined
  readonly column: Column | undefined
}

/** A query with disjoint groups: what all groups share, and the axes that tell them apart. A scalar query has no axes. */
export interface BlockQuery {
  readonly query: LinearQuery
  readonly shared: Weights
  readonly axes: readonly Axis[]
  /** For each term, by attribute. */
  readonly views: readonly (readonly View[])[]
}

/** All measurements of one query as one: a vector of means, weighted by precision, which are made when they are asked for. */
export class Block implements BlockQuery, NoisyNumbers {
  readonly query: LinearQuery
  readonly shared: Weights
  readonly axes: readonly Axis[]
  readonly views: BlockQuery['views']
  readonly #recorded: ReadonlyMap<string, Recorded>
  #means: Omit<NoisyNumbers, 'variance'> | undefined
  readonly variance: number

  constructor(of: BlockQuery, recorded: ReadonlyMap<string, Recorded>) {
    this.query = of.query
    this.shared = of.shared
    this.axes = of.axes
    this.views = of.views
    this.#recorded = recorded
    this.variance = 1 / precisionOf(recorded)
  }

  with(one: Recorded): Block {
    return new Block(this, new Map(this.#recorded).set(one.id, one))
  }

  /** undefined where nothing is left. */
  without(id: string): Block | undefined {
    const left = new Map(this.#recorded)
    left.delete(id)
    return left.size > 0 ? new Block(this, left) : undefined
  }

  get values(): Float64Array {
    return this.#made().values
  }

  get sizes(): Float64Array | undefined {
    return this.#made().sizes
  }

  get members(): readonly Member[] {
    return this.#made().members
  }

  #made() {
    this.#means ??= meansOf([...this.#recorded.values()])
    return this.#means
  }
}

const precisionOf = (recorded: ReadonlyMap<string, Recorded>): number =>
  recorded.values().reduce((sum, { variance }) => sum + 1 / variance, 0)

function meansOf(list: readonly Recorded[]) {
  const precision = list.reduce((sum, { variance }) => sum + 1 / variance, 0)
  const members = list.map(({ id, law, variance }) => ({
    id,
    law,
    share: list.length === 1 ? 1 : 1 / variance / precision,
  }))
  if (list.length === 1) return { members, values: list[0]!.values, sizes: undefined }
  const values = new Float64Array(list[0]!.values.length)
  const sizes = new Float64Array(values.length)
  for (const [i, { share }] of members.entries()) {
    const own = list[i]!.values
    for (let at = 0; at < values.length; at++) {
      values[at]! += share * own[at]!
      sizes[at]! += Math.abs(share * own[at]!)
    }
  }
  return { members, values, sizes }
}

export const columnAt = ({ attributes, columns }: WeightTerm, place: number): Column | undefined =>
  columns[attributes.indexOf(place)]
