import type { Listed } from './corners.ts'

/** A row that has a corner to itself among those that come after it. */
export interface Peeled<Row> {
  readonly row: Row
  readonly corner: number
  /** What the row has there. */
  readonly value: number
}

/**
 * Takes away rows that have a corner which no other has, until there is none. A combination of rows that lacks such a
 * corner lacks the row: so what remains, the core, is judged without the others, and each of these is judged by one
 * number, exactly. Of 5,000 ranges over three attributes of a census one in ten remains.
 * Rows of `fixed` stay. Corners are below `count`; `isTaken` tells those that a row which is not listed has.
 */
export function peel<Row extends Listed>(
  rows: readonly Row[],
  fixed: readonly Row[],
  corners: { readonly count: number; readonly isTaken: (corner: number) => boolean },
): {
  readonly peeled: readonly Peeled<Row>[]
  readonly core: readonly Row[]
  /** Whether a row that remains has this corner. */
  readonly isHeld: (corner: number) => boolean
} {
  const all = [...rows, ...fixed]
  // Of every corner: how many rows have it, and the sum of their numbers, which is the number of the last one left.
  const counts = new Int32Array(corners.count)
  const sums = new Float64Array(corners.count)
  all.forEach(({ sparse: { at } }, i) => {
    for (let k = 0; k < at.length; k++) {
      counts[at[k]!]!++
      sums[at[k]!]! += i
    }
  })
  const lone: number[] = []
  for (let corner = 0; corner < counts.length; corner++) if (counts[corner] === 1) lone.push(corner)
  const gone = new Uint8Array(all.length)
  const peeled: Peeled<Row>[] = []
  for (let corner = lone.pop(); corner !== undefined; corner = lone.pop()) {
    const i = sums[corner]!
    if (counts[corner] !== 1 || i >= rows.length || corners.isTaken(corner)) continue
    const { at, values } = all[i]!.sparse
    peeled.push({ row: all[i]!, corner, value: values[at.indexOf(corner)]! })
    gone[i] = 1
    for (let k = 0; k < at.length; k++) {
      sums[at[k]!]! -= i
      if (--counts[at[k]!]! === 1) lone.push(at[k]!)
    }
  }
  return { peeled, core: rows.filter((_, i) => gone[i] === 0), isHeld: (corner) => counts[corner]! > 0 }
}
