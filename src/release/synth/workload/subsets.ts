/** All choices of k of the numbers 0 … n-1, each ascending, in lexicographic order. */
export function subsets(n: number, k: number): number[][] {
  const found: number[][] = []
  const chosen: number[] = []
  const extend = (start: number) => {
    if (chosen.length === k) found.push([...chosen])
    else
      for (let i = start; i <= n - (k - chosen.length); i++) {
        chosen.push(i)
        extend(i + 1)
        chosen.pop()
      }
  }
  extend(0)
  return found
}

/** The number of them; a double, since it may be huge. */
export function subsetCount(n: number, k: number): number {
  let count = 1
  for (let i = 0; i < k; i++) count = (count * (n - i)) / (i + 1)
  return Math.round(count)
}
