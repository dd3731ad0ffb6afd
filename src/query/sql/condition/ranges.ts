/**
 * A set of codes as ascending, disjoint, non-adjacent ranges [from, to, from, to, …], both ends included. A condition
 * on an attribute with millions of codes is a handful of ranges.
 */
export type Ranges = readonly number[]

export const none: Ranges = []
export const everything = (size: number): Ranges => [0, size - 1]
export const span = (from: number, to: number): Ranges => (from <= to ? [from, to] : none)
export const isContiguous = (r: Ranges): boolean => r.length === 2

/** Number of codes. */
export function count(r: Ranges): number {
  let n = 0
  for (let i = 0; i < r.length; i += 2) n += r[i + 1]! - r[i]! + 1
  return n
}

export function* codesIn(r: Ranges): Iterable<number> {
  for (let i = 0; i < r.length; i += 2) for (let c = r[i]!; c <= r[i + 1]!; c++) yield c
}

/** From ascending codes. */
export function fromCodes(codes: Iterable<number>): Ranges {
  const out: number[] = []
  for (const c of codes) {
    if (out.length > 0 && out[out.length - 1] === c - 1) out[out.length - 1] = c
    else out.push(c, c)
  }
  return out
}

export function complement(r: Ranges, size: number): Ranges {
  const out: number[] = []
  let next = 0
  for (let i = 0; i < r.length; i += 2) {
    if (r[i]! > next) out.push(next, r[i]! - 1)
    next = r[i + 1]! + 1
  }
  if (next < size) out.push(next, size - 1)
  return out
}

export function intersect(a: Ranges, b: Ranges): Ranges {
  const out: number[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const from = Math.max(a[i]!, b[j]!)
    const to = Math.min(a[i + 1]!, b[j + 1]!)
    if (from <= to) out.push(from, to)
    if (a[i + 1]! < b[j + 1]!) i += 2
    else j += 2
  }
  return out
}

export function unite(a: Ranges, b: Ranges): Ranges {
  const out: number[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const fromA = j >= b.length || (i < a.length && a[i]! <= b[j]!)
    const [from, to] = fromA ? [a[i]!, a[i + 1]!] : [b[j]!, b[j + 1]!]
    if (fromA) i += 2
    else j += 2
    const last = out.length - 1
    if (last > 0 && from <= out[last]! + 1) out[last] = Math.max(out[last]!, to)
    else out.push(from, to)
  }
  return out
}

/** Whether every code of `inner` is in `outer`. */
export const covers = (outer: Ranges, inner: Ranges): boolean => intersect(outer, inner).join() === inner.join()
