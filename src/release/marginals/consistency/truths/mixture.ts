const rounds = 20

/**
 * The shares of kinds that explain best what was seen, by expectation maximisation. `likely` says of each thing seen how likely each kind makes it, `more` what is
 * taken to have been seen besides.
 */
export function explained(likely: readonly Float64Array[], more: Float64Array): Float64Array {
  let shares = more
  for (let round = 0; round < rounds; round++) {
    const next = more.slice()
    for (const of of likely) {
      let sum = 0
      for (let k = 0; k < of.length; k++) sum += shares[k]! * of[k]!
      if (sum > 0) for (let k = 0; k < of.length; k++) next[k]! += (shares[k]! * of[k]!) / sum
    }
    shares = next
  }
  return shares
}

/** Shares that add up to this. */
export function scaled(shares: Float64Array, to: number): Float64Array {
  const sum = shares.reduce((a, b) => a + b, 0)
  return shares.map((share) => (share * to) / sum)
}

/** One of the kinds, by their chances, which need not add up to 1. */
export function drawnKind(chances: Float64Array, random: () => number): number {
  let left = random() * chances.reduce((a, b) => a + b, 0)
  let kind = 0
  while (kind < chances.length - 1 && left >= chances[kind]!) left -= chances[kind++]!
  return kind
}
