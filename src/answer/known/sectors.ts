/** Weights of two parts' errors in a sum. */
export interface Direction {
  readonly x: number
  readonly y: number
}

/** The directions a·from + b·to with a and b ≥ 0. */
export interface Between {
  readonly from: Direction
  readonly to: Direction
}

/** A bound at either end, which is linear between them. */
export interface Sector extends Between {
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
  directions(k: number): Between
  sector(k: number): Sector
  /** Whether the bounds at the sector's ends are at most these: sooner told than the bounds. */
  isWithin(k: number, atFrom: number, atTo: number): boolean
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

/** The largest bound at x > 0 and any y between 0 and this one: it bends at the sectors' ends only. */
export function largestBound(bound: JointBound, { x, y }: Direction): number {
  let largest = Math.max(boundAt(bound, { x, y: 0 }), boundAt(bound, { x, y }))
  const last = Math.min(sectorAt(bound, { x, y }), bound.sectors / 2 - 1)
  for (let k = 0; k <= last; k++) {
    const { from, to } = bound.directions(k)
    const times = [from, to].map((end) => (end.x > 0 && (end.y * x) / end.x < y ? x / end.x : 0)) as [number, number]
    if (bound.isWithin(k, largest / times[0], largest / times[1])) continue
    const { atFrom, atTo } = bound.sector(k)
    largest = Math.max(largest, times[0] * atFrom, times[1] * atTo)
  }
  return largest
}
