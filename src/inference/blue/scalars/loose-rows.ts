import { kept } from '../kept.ts'
import { Field } from '../proof/modular.ts'
import type { Corners, Listed } from './corners.ts'

/** The largest prime below 2^30. A rank that is smaller modulo it would cost precision, never validity: then rows are left out that might have helped. */
const field = new Field(1_073_741_789)
/** More rows than this that hang together are not looked at: that takes time, and so many rarely come out loose. */
const mostRows = 64

/**
 * Rows that depend on an attribute and have no share in the estimate of a question that does not. What depends on the
 * attribute has to cancel among the rows that have a corner with it, and so in each list of rows that have such corners in
 * common. Where it only cancels together with all else in them, they tell nothing but their own noise.
 * Proof: docs/algorithms/blue.md, section 3.
 */
export function looseRows<Row extends Listed>(rows: readonly Row[], place: number, corners: Corners): Row[] {
  const isAlong = alongIn(corners, place)
  return listsOf(rows, isAlong).flatMap((list) => (list.length <= mostRows && isLoose(list, isAlong) ? list : []))
}

type Along = (corner: number) => boolean

/** Whether a corner has a code of the attribute; looked up once. */
function alongIn(corners: Corners, place: number): Along {
  const known = new Map<number, boolean>()
  return (corner) => kept(known, corner, () => corners.isAlong(corner, place))
}

/** Rows with a corner along the attribute, in lists of those that hang together by such corners. */
function listsOf<Row extends Listed>(rows: readonly Row[], isAlong: Along): Row[][] {
  const above = new Int32Array(rows.length)
  const top = (i: number): number => {
    let at = i
    while (above[at] !== at) at = above[at] = above[above[at]!]!
    return at
  }
  const first = new Map<number, number>()
  const lists = new Map<number, Row[]>()
  const own: number[] = []
  for (const [i, { sparse }] of rows.entries()) {
    above[i] = i
    let isOwn = false
    for (const corner of sparse.at) {
      if (!isAlong(corner)) continue
      isOwn = true
      above[top(kept(first, corner, () => i))] = top(i)
    }
    if (isOwn) own.push(i)
  }
  for (const i of own) kept(lists, top(i), () => []).push(rows[i]!)
  return [...lists.values()]
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
