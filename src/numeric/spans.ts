/** Ascending whole numbers as spans [first, last]: most often they are nearly all there are. */
export type Spans = readonly (readonly [number, number])[]

/** How many numbers there are. */
export const spansSize = (spans: Spans): number => spans.reduce((sum, [first, last]) => sum + last - first + 1, 0)

/** The number at a place, from 0. */
export function spansAt(spans: Spans, place: number): number {
  let before = 0
  for (const [first, last] of spans) {
    if (place - before <= last - first) return first + place - before
    before += last - first + 1
  }
  throw new RangeError('there are not so many numbers')
}

/** The first so many, each read once; undefined if they are not whole numbers from 0 on, ascending. */
export function spansOf(values: ArrayLike<number>, length: number): Spans | undefined {
  const spans: [number, number][] = []
  let [first, last] = [-1, -2]
  for (let i = 0; i < length; i++) {
    const value = values[i]!
    if (!Number.isSafeInteger(value) || value < 0 || value <= last) return undefined
    if (value === last + 1) last = value
    else {
      if (last >= 0) spans.push([first, last])
      first = value
      last = value
    }
  }
  if (last >= 0) spans.push([first, last])
  return spans
}
