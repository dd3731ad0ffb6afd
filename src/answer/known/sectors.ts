/** Weights of two parts' errors in a sum. */
export interface Direction {
  readonly x: number
  readonly y: number
}

/** Directions between two, and a bound at either that is linear between them: what holds at a·from + b·to, a and b ≥ 0. */
export interface Sector {
  readonly from: Direction
  readonly to: Direction
  readonly atFrom: number
  readonly atTo: number
}

/**
 * How large x·(one part's error) + y·(another's) may be, with a given confidence for every x and y by itself. Half a turn
 * has an even number of sectors, the first one beginning at y = 0; the other half is the same with both signs turned.
 */
export interface JointBound {
  readonly sectors: number
  /** x and y in which the sectors have equal angles. */
  readonly units: Direction
  sector(k: number): Sector
  /** Another bound is |x|·box.x + |y|·box.y: both errors within their own intervals at once. */
  readonly box: Direction
}

/** The sector that holds a direction; those of negative k are the others turned round. */
export const sectorAt = ({ sectors, units }: JointBound, { x, y }: Direction): number =>
  Math.floor((Math.atan2(y / units.y, x / units.x) * sectors) / Math.PI)

/** The bound at a direction. */
export function boundAt(bound: JointBound, { x, y }: Direction): number {
  const k = sectorAt(bound, { x, y })
  const { from, to, atFrom, atTo } = bound.sector((k + 2 * bound.sectors) % bound.sectors)
  const area = from.x * to.y - from.y * to.x
  const [a, b] = [(x * to.y - y * to.x) / area, (from.x * y - from.y * x) / area]
  return Math.min(Math.abs(a) * atFrom + Math.abs(b) * atTo, Math.abs(x) * bound.box.x + Math.abs(y) * bound.box.y)
}

/** The largest bound at x and any y between 0 and this one: it bends at the sectors' ends only. */
export function largestBound(bound: JointBound, { x, y }: Direction): number {
  let largest = Math.max(boundAt(bound, { x, y: 0 }), boundAt(bound, { x, y }))
  for (let k = 0; k < bound.sectors; k++) {
    const { from, atFrom, atTo, to } = bound.sector(k)
    for (const [end, at] of [
      [from, atFrom],
      [to, atTo],
    ] as const) {
      const times = x / end.x
      const height = (times * end.y) / y
      if (height > 0 && height < 1) largest = Math.max(largest, Math.abs(times) * at)
    }
  }
  return largest
}
