/** The first whole number from `low` to below `high` for which something holds that goes on to hold; else `high`. */
export function firstWhere(low: number, high: number, holds: (at: number) => boolean): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** Two numbers between which something begins to hold that goes on to hold: the ends, brought together by so many halvings. */
export function bisect(low: number, high: number, halvings: number, holds: (at: number) => boolean): [number, number] {
  let [from, to] = [low, high]
  for (let i = 0; i < halvings; i++) {
    const middle = (from + to) / 2
    if (holds(middle)) to = middle
    else from = middle
  }
  return [from, to]
}
