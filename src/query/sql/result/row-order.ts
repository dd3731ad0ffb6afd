import { parseRational, toNumber } from '../../../numeric/index.ts'
import { compareText } from '../expression/scalar.ts'
import type { Key, Order, Statement } from '../statement.ts'

/** What says which keys a row has. */
export type Keyed = Pick<Statement, 'axes' | 'rows'>

/** Instead of a number that is not told: last, whichever way is sorted. */
export const untold: unique symbol = Symbol('unknown')
type Sorted = Key | typeof untold

/** The keys of a row. */
export function keysOf(statement: Keyed, row: number): readonly Key[] {
  return statement.rows ? statement.rows[row]!.keys : statement.axes.map((_, axis) => keyAt(statement, row, axis))
}

export function keyAt({ axes, rows }: Keyed, row: number, axis: number): Key {
  if (rows) return rows[row]!.keys[axis]!
  let rest = row
  for (let i = axes.length - 1; i > axis; i--) rest = Math.floor(rest / axes[i]!.labels.length)
  const { labels } = axes[axis]!
  return labels[rest % labels.length]!
}

/** Keys of one kind; a number that no double holds is a text such as 1/3. */
export function compareKeys(a: Exclude<Key, null>, b: Exclude<Key, null>): number {
  if (typeof a === 'string' && typeof b === 'string') {
    const [x, y] = [a, b].map((text) => (text.includes('/') ? parseRational(text) : undefined))
    return x && y ? toNumber(x) - toNumber(y) : compareText(a, b)
  }
  return number(a) - number(b)
}
const number = (key: Exclude<Key, null>) => (typeof key === 'string' ? toNumber(parseRational(key)!) : Number(key))

/** How rows are sorted by what they have of each item; of bins where they stand, since [5, 10) comes before [10, 20). */
export function rowOrder({ axes }: Keyed, orderBy: readonly Order[]) {
  const places = orderBy.map(({ by }) => {
    const axis = by.kind === 'key' ? axes[by.axis]! : undefined
    return axis?.inOrder && new Map(axis.labels.map((key, place) => [key, place]))
  })
  return (a: readonly Sorted[], b: readonly Sorted[]): number => {
    for (const [i, { descending, nullsFirst }] of orderBy.entries()) {
      const [x, y] = [a[i]!, b[i]!]
      if (x === y) continue
      if (x === untold || y === untold) return x === untold ? 1 : -1
      if (x === null || y === null) return (x === null) === nullsFirst ? -1 : 1
      const place = (key: Exclude<Key, null>) => places[i]?.get(key) ?? key
      const order = compareKeys(place(x as Exclude<Key, null>), place(y as Exclude<Key, null>))
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }
}

/** The place of each row in the order of a key; rows with equal keys share one. */
export function placesIn(of: Keyed, order: Order, rows: readonly number[]): number[] {
  const axis = order.by.kind === 'key' ? order.by.axis : -1
  const keys = rows.map((row) => [axis < 0 ? null : keyAt(of, row, axis)])
  const compare = rowOrder(of, [order])
  const places = new Array<number>(rows.length).fill(0)
  const sorted = [...keys.keys()].sort((a, b) => compare(keys[a]!, keys[b]!))
  for (const [i, at] of sorted.entries())
    if (i > 0) places[at] = places[sorted[i - 1]!]! + (compare(keys[sorted[i - 1]!]!, keys[at]!) === 0 ? 0 : 1)
  return places
}
