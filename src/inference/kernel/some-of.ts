/** So many of the places 0 … count - 1, drawn alike, ascending; all of them where there are no more. */
export function someOf(count: number, most: number, random: () => number): number[] {
  const order = shuffled(count, random).slice(0, most)
  return order.sort((a, b) => a - b)
}

/** The places 0 … count - 1 in an order that is drawn. */
export function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
  return order
}
