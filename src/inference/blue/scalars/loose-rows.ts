import { Field } from '../proof/modular.ts'
import type { Corners, Listed } from './corners.ts'

/** The largest prime below 2^30. A rank that is smaller modulo it would cost precision, never validity: then rows are left out that might have helped. */
const field = new Field(1_073_741_789)
/** More rows than this that hang together are not looked at: that takes time, and so many rarely come out loose. */
const mostRows = 64

/** Rows that are connected by corners along the attribute. */
interface List<Row> {
  /** None where there are too many to look at. */
  rows: Row[]
  count: number
  /** The list that it became a part of. */
  into: List<Row> | undefined
  /** Unknown until it is asked for. */
  isLoose: boolean | undefined
}

/**
 * Rows that depend on an attribute and have no share in the estimate of a question that does not. What depends on the
 * attribute has to cancel among the rows that have a corner with it, and so in each list of rows that have such corners in
 * common. Where it only cancels together with all else in them, they tell nothing but their own noise.
 * Proof: docs/algorithms/blue.md, section 3.
 */
export class LooseRows<Row extends Listed> {
  readonly #isAlong: Along
  readonly #lists = new Set<List<Row>>()
  readonly #byCorner = new Map<number, List<Row>>()

  constructor(place: number, corners: Corners) {
    this.#isAlong = (corner) => corners.isAlong(corner, place)
  }

  add(row: Row): void {
    let own: List<Row> | undefined
    const { at } = row.sparse
    for (let k = 0; k < at.length; k++) {
      if (!this.#isAlong(at[k]!)) continue
      const other = lastOf(this.#byCorner.get(at[k]!))
      own = own && other ? this.#joined(own, other) : (other ?? own ?? this.#opened())
      if (!other) this.#byCorner.set(at[k]!, own)
    }
    if (own) put(own, [row], 1)
  }

  /** All that are loose by now. */
  get rows(): Row[] {
    const loose: Row[] = []
    for (const list of this.#lists) {
      list.isLoose ??= list.count <= mostRows && isLoose(list.rows, this.#isAlong)
      if (list.isLoose) loose.push(...list.rows)
    }
    return loose
  }

  #opened(): List<Row> {
    const list = { rows: [], count: 0, into: undefined, isLoose: undefined }
    this.#lists.add(list)
    return list
  }

  #joined(one: List<Row>, other: List<Row>): List<Row> {
    if (one === other) return one
    const [less, more] = one.count < other.count ? [one, other] : [other, one]
    put(more, less.rows, less.count)
    less.into = more
    less.rows = []
    this.#lists.delete(less)
    return more
  }
}

type Along = (corner: number) => boolean

function put<Row>(list: List<Row>, rows: readonly Row[], count: number): void {
  list.count += count
  list.rows = list.count > mostRows ? [] : [...list.rows, ...rows]
  list.isLoose = undefined
}

function lastOf<Row>(list: List<Row> | undefined): List<Row> | undefined {
  let at = list
  while (at?.into) at = at.into
  return at
}

/** Whether every combination of these rows that has no corner along the attribute has none at all: by elimination along it alone. */
function isLoose(rows: readonly Listed[], isAlong: Along): boolean {
  const pivots: { readonly at: number; readonly row: ReadonlyMap<number, number> }[] = []
  for (const { sparse } of rows) {
    const row = new Map(Array.from(sparse.at, (corner, k) => [corner, field.of(sparse.values[k]!)]))
    for (const { at, row: other } of pivots) takeOut(row, other, row.get(at) ?? 0)
    const at = row.keys().find(isAlong)
    if (at !== undefined) {
      const scale = field.invert(row.get(at)!)
      pivots.push({ at, row: new Map(Array.from(row, ([corner, value]) => [corner, field.multiply(value, scale)])) })
    } else if (row.size > 0) return false
  }
  return true
}

/** row - times·other, without zeros. */
function takeOut(row: Map<number, number>, other: ReadonlyMap<number, number>, times: number): void {
  if (times === 0) return
  for (const [corner, value] of other) {
    const left = field.subtract(row.get(corner) ?? 0, field.multiply(times, value))
    if (left === 0) row.delete(corner)
    else row.set(corner, left)
  }
}
