/** The table made to add up to these along its axes, by scaling its slices in turns: what is 0 stays so. */
export function raked(table: Float64Array, sums: readonly Float64Array[], rounds: number): Float64Array {
  const made = table.slice()
  for (let round = 0; round < rounds; round++) {
    let inner = made.length
    for (const sum of sums) {
      inner /= sum.length
      const codeOf = (i: number) => Math.floor(i / inner) % sum.length
      const is = new Float64Array(sum.length)
      for (let i = 0; i < made.length; i++) is[codeOf(i)]! += made[i]!
      const times = is.map((now, code) => (now > 0 ? sum[code]! / now : 1))
      for (let i = 0; i < made.length; i++) made[i]! *= times[codeOf(i)]!
    }
  }
  return made
}
