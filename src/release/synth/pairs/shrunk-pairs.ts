import { type GroupedMarginal, groupSums } from '../../../model/index.ts'

/** Pairs' tables with less noise. */
interface ShrunkPairs {
  readonly marginals: readonly GroupedMarginal[]
  /** What the χ² of the truth against them is expected to be: below the number of cells, since there is less noise. */
  readonly expected: number
}

/** In the judgement of one pair the usual one counts as much as so many degrees of freedom of its own. */
const weightOfOthers = 2

/**
 * Tables of two attributes, in which that part is kept of what they say beyond each attribute by itself (their interaction) that
 * stands out from noise. Of signal and noise mixed the best linear guess keeps S/(1 + S), S being the mean square of the signal over the
 * noise's variance (James and Stein). S is estimated for every pair, with a little help from all others. Where most attributes have
 * nothing to do with each other this keeps the fit from following the noise of their pairs.
 */
export function shrunkPairs(
  pairs: readonly GroupedMarginal[],
  counts: readonly Float64Array[],
  records: number,
): ShrunkPairs {
  const found = pairs.map((pair) => interactionOf(pair, counts, records))
  const each = found.map(({ excess, freedom }) => excess / freedom).sort((a, b) => a - b)
  // The median: a few pairs that depend on each other much say nothing about the others.
  const usual = Math.max(0, each[each.length >> 1] ?? 0)
  const signals = found.map(({ excess, freedom }) =>
    Math.max(0, (excess + weightOfOthers * usual) / (freedom + weightOfOthers)),
  )
  const lost = signals.map((signal) => 1 / (1 + signal))
  return {
    marginals: pairs.map((pair, p) => {
      const values = Float64Array.from(pair.values, (value, cell) => value - lost[p]! * found[p]!.values[cell]!)
      return { ...pair, values }
    }),
    expected: sum(pairs.map(({ values }, p) => values.length - lost[p]! * found[p]!.freedom)),
  }
}

interface Interaction {
  /** By cell; every row and every column adds up to 0. */
  readonly values: Float64Array
  readonly freedom: number
  /** Its squares over the noise's variance, beyond what noise alone would make of them. */
  readonly excess: number
}

/** What a table has beyond that of independent attributes, without what that leaves of rows and columns. */
function interactionOf(
  { axes, values, variance }: GroupedMarginal,
  counts: readonly Float64Array[],
  records: number,
): Interaction {
  const [down, across] = axes.map(({ attribute, groups }) => groupSums(groups, counts[attribute]!))
  const [height, width] = [down!.length, across!.length]
  const [rows, columns] = [new Float64Array(height), new Float64Array(width)]
  const rest = new Float64Array(values.length)
  for (let a = 0, cell = 0; a < height; a++)
    for (let b = 0; b < width; b++, cell++) {
      rest[cell] = values[cell]! - (down![a]! * across![b]!) / records
      rows[a]! += rest[cell]! / width
      columns[b]! += rest[cell]! / height
    }
  const mean = sum(rows) / height
  let squares = 0
  for (let a = 0, cell = 0; a < height; a++)
    for (let b = 0; b < width; b++, cell++) {
      rest[cell]! += mean - rows[a]! - columns[b]!
      squares += rest[cell]! ** 2
    }
  const freedom = (height - 1) * (width - 1)
  return { values: rest, freedom, excess: squares / (variance as number) - freedom }
}

const sum = (list: Float64Array | readonly number[]): number => {
  let total = 0
  for (const value of list) total += value
  return total
}
