/** All choices of k of the numbers 0 … n-1, one after the other: each ascending, in lexicographic order. */
export function subsets(n: number, k: number): Int32Array {
  const found = new Int32Array(subsetCount(n, k) * k)
  const chosen = Int32Array.from({ length: k }, (_, i) => i)
  for (let next = 0; next < found.length; next += k) {
    found.set(chosen, next)
    let last = k - 1
    while (last >= 0 && chosen[last] === n - k + last) last--
    if (last < 0) break
    chosen[last]!++
    for (let i = last + 1; i < k; i++) chosen[i] = chosen[i - 1]! + 1
  }
  return found
}

/** The number of them; a double, since it may be huge. */
export function subsetCount(n: number, k: number): number {
  let count = 1
  for (let i = 0; i < k; i++) count = (count * (n - i)) / (i + 1)
  return Math.round(count)
}
