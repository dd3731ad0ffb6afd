/**
 * Whole numbers that add up to `total` and are near the wanted ones, which do so too: each is rounded down, the largest
 * remainders up. Wanted ones below 0 become 0. What is left of each stays in `wanted`: the error, to be carried on.
 */
export function roundedCounts(wanted: Float64Array, total: number): Int32Array {
  const counts = new Int32Array(wanted.length)
  let missing = total
  for (let v = 0; v < wanted.length; v++) {
    counts[v] = Math.max(0, Math.floor(wanted[v]!))
    wanted[v]! -= counts[v]!
    missing -= counts[v]!
  }
  if (missing > 0) {
    const largest = Array.from(wanted.keys()).sort((a, b) => wanted[b]! - wanted[a]!)
    for (let i = 0; i < missing; i++) move(counts, wanted, largest[i % largest.length]!, 1)
  }
  // Where some were below 0 the others have too many.
  for (; missing < 0; missing++) {
    let least = -1
    for (let v = 0; v < counts.length; v++) if (counts[v]! > 0 && (least < 0 || wanted[v]! < wanted[least]!)) least = v
    move(counts, wanted, least, -1)
  }
  return counts
}

function move(counts: Int32Array, wanted: Float64Array, value: number, by: 1 | -1): void {
  counts[value]! += by
  wanted[value]! -= by
}

/** How many of `total` each share gets: systematic, so that every sum of neighbours is off by less than one. */
export function systematicCounts(shares: Float64Array, total: number, start: number): Int32Array {
  const counts = new Int32Array(shares.length)
  const sum = shares.reduce((a, b) => a + b, 0)
  let [reached, before] = [0, 0]
  for (let i = 0; i < shares.length; i++) {
    reached += shares[i]!
    // So many of the points 0 + start, 1 + start, … lie below.
    const upTo = i === shares.length - 1 ? total : Math.min(total, Math.ceil((reached / sum) * total - start))
    counts[i] = Math.max(0, upTo - before)
    before = Math.max(before, upTo)
  }
  return counts
}
