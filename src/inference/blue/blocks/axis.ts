import type { Grouping, Indicator } from '../../../query/index.ts'
import type { Attribute } from '../../../schema/index.ts'
import { type Column, tableOf } from '../column.ts'
import { kept } from '../kept.ts'
import { Recent } from '../recent.ts'
import { shapeOf } from './column-key.ts'
import type { AxisWeights } from './part.ts'

/** Axes of more codes than this are written out code by code for those that were last looked at… */
const manyCodes = 4096
/** …up to so many codes together: 64 MB. */
const written = new Recent<Axis, Int32Array>(2 ** 24)

type Range = Extract<Indicator, { readonly kind: 'interval' }>

/**
 * One axis of grouped answers: which group every code is in, -1 where none. Tables with the same groups share it, and
 * with it what was found about it once.
 */
export class Axis {
  readonly place: number
  readonly codes: number
  readonly groups: number
  /** The groups, if all of them are ranges of codes. */
  readonly ranges: readonly Range[] | undefined
  readonly #sets: readonly Indicator[] | undefined
  readonly #groupOf: Int32Array | undefined
  readonly #shares = new Map<string, AxisShares>()

  constructor(place: number, { size }: Attribute, { groups }: Grouping) {
    this.place = place
    this.codes = size
    this.groups = groups?.length ?? size
    this.#sets = groups
    this.ranges = groups?.every((group) => group.kind === 'interval') ? groups : undefined
    this.#groupOf = size > manyCodes ? undefined : groupsOf(size, groups)
  }

  get groupOf(): Int32Array {
    if (this.#groupOf) return this.#groupOf
    const known = written.get(this)
    if (known) return known
    const made = groupsOf(this.codes, this.#sets)
    written.set(this, made, this.codes)
    return made
  }

  /** The groups of which a code is not 0 in one of the columns. */
  live(columns: readonly (Column | undefined)[]): Uint8Array {
    const marks = new Uint8Array(this.groups)
    if (this.ranges && columns.includes(undefined)) return marks.map((_, g) => (widthOf(this.ranges![g]!) > 0 ? 1 : 0))
    const { groupOf } = this
    for (const column of columns) {
      const f = valuesOf(column, this.codes)
      for (let code = 0; code < this.codes; code++) if (groupOf[code]! >= 0 && f(code) !== 0) marks[groupOf[code]!] = 1
    }
    return marks
  }

  /** How a question's column h is made of a table's column f, group by group. */
  shares(f: Column | undefined, h: Column | undefined): AxisShares {
    const key = `${shapeOf(f).text}|${shapeOf(h).text}`
    if (this.#shares.size > mostKept) this.#shares.clear()
    const { times } = shapeOf(h)
    const own = kept(this.#shares, key, () => this.#compare(f, h))
    return times === shapeOf(f).times ? own : scaled(own, times / shapeOf(f).times)
  }

  /** In multiples of the columns' shapes. */
  #compare(f: Column | undefined, h: Column | undefined): AxisShares {
    if (this.ranges && !f && (!h || h.interval)) return compareRanges(this.ranges, h, this.codes)
    const { groupOf } = this
    const shares = new Float64Array(this.groups).fill(free)
    const [x, y] = [valuesOf(f, this.codes), valuesOf(h, this.codes)]
    let isWithin = true
    for (let code = 0; code < this.codes; code++) {
      const [own, asked, group] = [x(code), y(code), groupOf[code]!]
      if (own === 0 && asked === 0) continue
      if (group < 0 || own === 0) {
        if (asked !== 0) isWithin = false
        continue
      }
      const share = isSmall(asked) && isSmall(own) ? asked / own : Number.NaN
      if (shares[group] === free) shares[group] = share
      else if (shares[group] !== share) shares[group] = Number.NaN
    }
    return { shares, isWithin: isWithin && !shares.some(Number.isNaN) }
  }
}

function groupsOf(size: number, groups: readonly Indicator[] | undefined): Int32Array {
  if (!groups) return Int32Array.from({ length: size }, (_, code) => code)
  const groupOf = new Int32Array(size).fill(-1)
  for (const [g, group] of groups.entries())
    if (group.kind === 'set') for (const code of group.codes) groupOf[code] = g
    else groupOf.fill(g, group.from, group.to + 1)
  return groupOf
}

const widthOf = ({ from, to }: { readonly from: number; readonly to: number }): number => Math.max(0, to - from + 1)

/** Of ranges: a question's range holds a group, or none of it, or cuts through it. */
function compareRanges(ranges: readonly Range[], h: Column | undefined, codes: number): AxisShares {
  const { from, to } = h ?? { from: 0, to: codes - 1 }
  let covered = 0
  const shares = Float64Array.from(ranges, (range) => {
    const common = widthOf({ from: Math.max(from, range.from), to: Math.min(to, range.to) })
    covered += common
    if (widthOf(range) === 0) return free
    return common === 0 ? 0 : common === widthOf(range) ? 1 : Number.NaN
  })
  return { shares, isWithin: covered === widthOf({ from, to }) && !shares.some(Number.isNaN) }
}

/** The share of a group in which neither column is other than 0. */
export const free = Number.POSITIVE_INFINITY

/** Fractions of integers below this are equal doubles only if they are equal. */
const isSmall = (value: number): boolean => Math.abs(value) < 2 ** 26

/** So many comparisons are remembered. */
const mostKept = 4096

/** For every group the number that h is of f there; NaN where it is none, `free` where both are 0. */
interface AxisShares {
  readonly shares: Float64Array
  /** Is h made of the groups' f, and 0 where there are none? */
  readonly isWithin: boolean
}

const scaled = ({ shares, isWithin }: AxisShares, times: number): AxisShares => ({
  shares: shares.map((share) => (share === free ? free : share * times)),
  isWithin,
})

function valuesOf(column: Column | undefined, size: number): (code: number) => number {
  if (!column) return () => 1
  const { times } = shapeOf(column)
  const { interval, from, to } = column
  if (interval) return (code) => (code >= from && code <= to ? 1 : 0)
  const table = column.size === size ? tableOf(column) : new Float64Array(size)
  return (code) => table[code]! / times
}

/** Shares as weights: groups that are free have none. */
export function weightsOf(shares: Float64Array): AxisWeights {
  const weights = shares.map((share) => (share === free ? 0 : share))
  return { weights, support: supportOf(weights) }
}

const supportOf = (weights: Float64Array): Int32Array =>
  Int32Array.from([...weights.keys()].filter((group) => weights[group] !== 0))
