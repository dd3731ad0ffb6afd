import { blockRows, chunk, heapOf, pack } from './heap.ts'

/**
 * target[i][j] -= Σ_t left[i][t]·right[j][t] for all i and j: a matrix less a product of row lists. Rows may differ in
 * length; what is missing counts as 0.
 */
export function subtractProducts(
  target: readonly Float64Array[],
  left: readonly Float64Array[],
  right: readonly Float64Array[],
): void {
  const kernelPays = left.length >= 4 && right.length >= 4
  if (kernelPays) blocked(target, left, right)
  else
    for (const [i, row] of target.entries()) for (let j = 0; j < right.length; j++) row[j]! -= dot(left[i]!, right[j]!)
}

/** Σ x·y over the places that both have, or the first so many of them. */
export function dot(x: Float64Array, y: Float64Array, length = Math.min(x.length, y.length)): number {
  // Four sums side by side: each addition need not wait for the one before. Made one by one: taken from an array of whole numbers
  // they would take three times as long.
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let t = 0
  for (; t + 3 < length; t += 4) {
    s0 += x[t]! * y[t]!
    s1 += x[t + 1]! * y[t + 1]!
    s2 += x[t + 2]! * y[t + 2]!
    s3 += x[t + 3]! * y[t + 3]!
  }
  for (; t < length; t++) s0 += x[t]! * y[t]!
  return s0 + s1 + (s2 + s3)
}

/** to ← to + times·vector */
export function addTimes(to: Float64Array, vector: Float64Array, times: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += times * vector[i]!
}

const widest = (rows: readonly Float64Array[]) => rows.reduce((width, row) => Math.max(width, row.length), 0)

function blocked(target: readonly Float64Array[], left: readonly Float64Array[], right: readonly Float64Array[]): void {
  const width = Math.min(widest(left), widest(right))
  const panel = 4 * chunk
  const [rightAt, tilesAt] = [panel, panel + (blockRows / 4) * panel]
  const { kernel, heap } = heapOf(tilesAt + 4 * (left.length + 3) * blockRows)
  for (let j0 = 0; j0 < right.length; j0 += blockRows) {
    const panels = Math.ceil(Math.min(blockRows, right.length - j0) / 4)
    const tiles = (i0: number) => tilesAt + (i0 / 4) * panels * 16
    heap.fill(0, tilesAt, tiles(4 * Math.ceil(left.length / 4)))
    for (let from = 0; from < width; from += chunk) {
      const to = Math.min(width, from + chunk)
      for (let q = 0; q < panels; q++) pack(right, j0 + 4 * q, from, to, heap.subarray(rightAt + q * panel))
      for (let i0 = 0; i0 < left.length; i0 += 4) {
        pack(left, i0, from, to, heap)
        for (let q = 0; q < panels; q++)
          kernel.update(0, 8 * (rightAt + q * panel), 8 * (tiles(i0) + 16 * q), to - from)
      }
    }
    // The tiles hold minus the products.
    for (let i = 0; i < left.length; i++) {
      const row = target[i]!
      const at = tiles(i & ~3) + (i & 3)
      const end = Math.min(right.length, j0 + blockRows)
      for (let j = j0; j < end; j++) row[j]! += heap[at + 4 * (j - j0)]!
    }
  }
}
