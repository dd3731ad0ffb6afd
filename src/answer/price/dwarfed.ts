/** A number of records, and how far off it may be: surely not by more. */
export interface GroupSize {
  readonly size: number
  readonly off: number
}

/** Groups this many times smaller than the next larger one are dwarfed by it: they would cost this many times as much as the rest. */
const usually = 10

/**
 * The size below which groups are too small beside the others, as that of NULL often is: to make them precise would cost many times what
 * all others do. Of sizes that are known, the larger ones down to where the next is dwarfed count. 0 where nothing is known yet.
 */
export function dwarfedBelow(groups: readonly GroupSize[], times = usually): number {
  const clear = groups.flatMap(({ size, off }) => (size >= 2 * off && size > 0 ? [size] : [])).sort((a, b) => b - a)
  let least = clear[0] ?? 0
  for (const size of clear) {
    if (size * times < least) break
    least = size
  }
  return least / times
}
