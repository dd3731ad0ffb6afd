import {
  type Expression,
  evaluateInterval,
  placesIn,
  type Statement,
  type WindowRank,
  type WindowSum,
} from '../../query/index.ts'
import type { KnownPart } from '../known/known-part.ts'
import { type SumWidths, summedWidths } from '../known/sums.ts'
import type { KnownQuantile } from '../quantile/known-quantile.ts'
import { confidenceOfEach, isNumber } from './interval.ts'
import { rankBounds, type SortedBy } from './ranks.ts'

export type Bounds = ReturnType<typeof evaluateInterval>

/** Half the width of an interval around the sum of some groups of a part. */
export type HalfWidth = (part: number, groups: readonly number[]) => number

/** What bounds are made of. */
interface Sources {
  readonly confidence: number
  readonly quantiles?: readonly KnownQuantile[]
  readonly sums?: SumWidths
  readonly statement?: Pick<Statement, 'axes' | 'rows'>
}

/** From its parts' intervals, which hold all at once. */
export function boundsOf(e: Expression, parts: readonly KnownPart[], sources: Sources): (row: number) => Bounds {
  const widths = sources.sums ?? summedWidths(parts)
  const all = Math.max(1, numbersIn(e).length)
  const among = (numbers: number): HalfWidth => {
    const each = confidenceOfEach(sources.confidence, numbers)
    return (part, groups) => widths.halfWidth(part, groups, each)
  }
  return boundsBy(e, parts, sources, { halfWidth: among(all), among: (numbers) => among(all * numbers) })
}

/** `among` so many numbers that must hold at once, in the place of one. */
interface Widths {
  readonly halfWidth: HalfWidth
  readonly among: (numbers: number) => HalfWidth
}

/** The same with half-widths as they are given. */
export function boundsBy(
  e: Expression,
  parts: readonly KnownPart[],
  { quantiles = [], statement }: Omit<Sources, 'confidence'>,
  { halfWidth, among }: Widths,
): (row: number) => Bounds {
  const used = new Set(numbersIn(e).flatMap((leaf) => (leaf.kind === 'part' ? [leaf.part] : [])))
  const groupsOf = (row: number): readonly number[] => (statement?.rows ? statement.rows[row]!.groups : [row])
  const around = (part: number, groups: readonly number[], half: HalfWidth): Bounds => {
    const value = groups.reduce((sum, group) => sum + parts[part]!.values[group]!, 0)
    const width = half(part, groups)
    return { low: value - width, high: value + width }
  }
  const sum = ({ part, frames, isMean }: WindowSum, row: number): Bounds => {
    const frame = frames[row]!
    if (frame.length === 0) return { low: Number.NaN, high: Number.NaN }
    const { low, high } = around(part, frame.flatMap(groupsOf), halfWidth)
    return isMean ? { low: low / frame.length, high: high / frame.length } : { low, high }
  }
  const rank = rankIn(parts, { quantiles, statement }, among)
  return (row) =>
    evaluateInterval(
      e,
      parts.map((_, part) => (used.has(part) ? around(part, groupsOf(row), halfWidth) : nothing)),
      quantiles.map(({ bounds }) => bounds[row]!),
      (window) => (window.kind === 'window-sum' ? sum(window, row) : rank(window, row)),
    )
}

const nothing: Bounds = { low: 0, high: 0 }

/** Ranks from intervals of what rows are sorted by, which hold for all of them at once. */
function rankIn(parts: readonly KnownPart[], sources: Omit<Sources, 'confidence'>, among: Widths['among']) {
  const known = new Map<readonly number[], Map<WindowRank, SortedBy[][]>>()
  const sortedIn = (window: WindowRank, frame: readonly number[]): SortedBy[][] => {
    const numbers = window.by.filter(({ by }) => isNumber(by)).length
    const half = among(frame.length * Math.max(1, numbers))
    const columns = window.by.map((order) => {
      const { by } = order
      if (!isNumber(by)) return placesIn(sources.statement!, order, frame).map((place): SortedBy => ({ place }))
      const bounds = boundsBy(by, parts, sources, { halfWidth: half, among: () => half })
      return frame.map((row): SortedBy => bounds(row))
    })
    return frame.map((_, i) => columns.map((column) => column[i]!))
  }
  return (window: WindowRank, row: number): Bounds => {
    const frame = window.frames[row]!
    const kept = known.get(frame) ?? new Map<WindowRank, SortedBy[][]>()
    known.set(frame, kept)
    const rows = kept.get(window) ?? sortedIn(window, frame)
    kept.set(window, rows)
    return rankBounds(window, rows, frame.indexOf(row))
  }
}

/** The different numbers that an expression is made of. */
function numbersIn(e: Expression): Expression[] {
  const found: Expression[] = []
  for (const leaf of leavesOf(e))
    if (leaf.kind !== 'constant' && !found.some((other) => isSame(leaf, other))) found.push(leaf)
  return found
}

function* leavesOf(e: Expression): Generator<Expression> {
  if ('left' in e) {
    yield* leavesOf(e.left)
    yield* leavesOf(e.right)
  } else if ('of' in e) yield* leavesOf(e.of)
  else yield e
}

function isSame(a: Expression, b: Expression): boolean {
  if (a.kind === 'part') return b.kind === 'part' && a.part === b.part
  if (a.kind === 'quantile') return b.kind === 'quantile' && a.quantile === b.quantile
  if (a.kind === 'window-sum') return b.kind === 'window-sum' && a.part === b.part && a.frames === b.frames
  return a === b
}
