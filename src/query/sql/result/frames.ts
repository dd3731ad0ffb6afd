import type { WindowDef } from '@pgsql/types'
import type { Frames, Order } from '../statement.ts'
import { rowCount } from './arrange.ts'
import { type Keyed, keyAt, rowOrder } from './row-order.ts'

/** What a window's frame reaches, by PostgreSQL's bits. */
const frame = {
  byRows: 0x4,
  byGroups: 0x8,
  fromStart: 0x20,
  toEnd: 0x100,
  fromCurrent: 0x200,
  toCurrent: 0x400,
  before: 0x800,
  upToBefore: 0x1000,
  after: 0x2000,
  upToAfter: 0x4000,
  exclusion: 0x38000,
} as const

/** The rows of each row's partition, in the order of the groups; rows of one share a list. */
export function partitions(of: Keyed, axes: readonly number[]): Frames {
  const size = rowCount(of)
  const found = new Map<string, number[]>()
  return Array.from({ length: size }, (_, row) => {
    const key = JSON.stringify(axes.map((axis) => keyAt(of, row, axis)))
    const rows = found.get(key) ?? []
    found.set(key, rows)
    rows.push(row)
    return rows
  })
}

/** How far before and after a row its frame reaches, in rows; `peers`: all that is equal to its ends. */
export interface Reach {
  readonly from: number
  readonly to: number
  readonly peers: boolean
}

/** The reach that a window asks for; undefined where it is of a kind that is not supported. `whole` reads an offset. */
export function reachOf(
  { frameOptions = 0, startOffset, endOffset }: WindowDef,
  whole: (node: NonNullable<WindowDef['startOffset']>) => number | undefined,
): Reach | undefined {
  const has = (bit: number) => (frameOptions & bit) !== 0
  if (has(frame.exclusion) || has(frame.byGroups)) return undefined
  const peers = !has(frame.byRows)
  const [start, end] = [startOffset && whole(startOffset), endOffset && whole(endOffset)]
  const from = has(frame.fromStart)
    ? Number.NEGATIVE_INFINITY
    : has(frame.fromCurrent)
      ? 0
      : has(frame.before) && start !== undefined
        ? -start
        : has(frame.after) && start !== undefined
          ? start
          : undefined
  const to = has(frame.toEnd)
    ? Number.POSITIVE_INFINITY
    : has(frame.toCurrent)
      ? 0
      : has(frame.upToBefore) && end !== undefined
        ? -end
        : has(frame.upToAfter) && end !== undefined
          ? end
          : undefined
  if (from === undefined || to === undefined) return undefined
  // Offsets in values, not in rows, would need the keys' own arithmetic.
  const isOffset = [from, to].some((end) => Number.isFinite(end) && end !== 0)
  return peers && isOffset ? undefined : { from, to, peers }
}

/** Of each row those of its partition that its frame reaches, sorted by keys. */
export function sortedFrames(of: Keyed, within: Frames, by: readonly Order[], { from, to, peers }: Reach): Frames {
  if (from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) return within
  const compare = rowOrder(of, by)
  const at = (row: number) => by.map((order) => (order.by.kind === 'key' ? keyAt(of, row, order.by.axis) : null))
  const frames: (readonly number[])[] = new Array(within.length)
  for (const partition of new Set(within)) {
    const sorted = partition.map((row) => ({ row, key: at(row) })).sort((a, b) => compare(a.key, b.key))
    const isPeer = (i: number, j: number) => peers && compare(sorted[i]!.key, sorted[j]!.key) === 0
    sorted.forEach(({ row }, i) => {
      let [first, last] = [Math.max(0, i + from), Math.min(sorted.length - 1, i + to)]
      while (from === 0 && first > 0 && isPeer(first - 1, i)) first--
      while (to === 0 && last < sorted.length - 1 && isPeer(last + 1, i)) last++
      frames[row] = sorted.slice(first, Math.max(first, last + 1)).map((each) => each.row)
    })
  }
  return frames
}
