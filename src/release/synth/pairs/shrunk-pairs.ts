import { type GroupedMarginal, groupSums } from '../../../model/index.ts'
import { sum } from '../../../numeric/index.ts'

/** Pairs' tables with less noise. */
interface ShrunkPairs {
  readonly marginals: readonly GroupedMarginal[]
  /** The χ² against them at which a model has followed what stands out: below, it follows noise. */
  readonly enough: number
}

/** Past this share of what it is at the truth, the χ² of interactions is lowered by fitting the noise. Settled on generated tables. */
const leastMisfit = 0.6

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
    enough: Math.max(0, enoughFor(found, lost) - freedomOfAttributes(pairs)),
  }
}

/**
 * Noise in the sums of rows and columns is another one in each table, and stays. Of the interactions, what was kept has a χ² of about
 * 1 - lost per degree of freedom at the truth. Where there is little signal in all pairs, as much of what was kept is noise as if it
 * had not been shrunk at all: of signal and noise mixed in the ratio S the part 1/(1 + S)² is left.
 */
function enoughFor(found: readonly Interaction[], lost: readonly number[]): number {
  const fixed = sum(found.map((pair) => pair.fixed))
  const noise = sum(found.map(({ freedom }, p) => (1 - lost[p]!) * freedom))
  const kept = sum(found.map(({ excess, freedom }, p) => (1 - lost[p]!) ** 2 * (excess + freedom)))
  const signal = Math.max(0, sum(found.map(({ excess }) => excess)) / (sum(found.map(({ freedom }) => freedom)) || 1))
  return fixed + Math.max(leastMisfit * noise, kept / (1 + signal) ** 2)
}

/** So much of the noise in rows and columns goes once the attributes' own counts are fitted to all tables together. */
function freedomOfAttributes(pairs: readonly GroupedMarginal[]): number {
  const groups = new Map<number, number>()
  for (const { attribute, groups: own } of pairs.flatMap(({ axes }) => axes))
    groups.set(attribute, Math.max(groups.get(attribute) ?? 0, own.count))
  return sum([...groups.values()].map((count) => count - 1))
}

interface Interaction {
  /** By cell; every row and every column adds up to 0. */
  readonly values: Float64Array
  readonly freedom: number
  /** Its squares over the noise's variance, beyond what noise alone would make of them. */
  readonly excess: number
  /** The squares of all else, over the same: noise in the sums of rows and columns. */
  readonly fixed: number
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
  let [squares, others] = [0, 0]
  for (let a = 0, cell = 0; a < height; a++)
    for (let b = 0; b < width; b++, cell++) {
      const other = rows[a]! + columns[b]! - mean
      rest[cell]! -= other
      squares += rest[cell]! ** 2
      others += other ** 2
    }
  const freedom = (height - 1) * (width - 1)
  const unit = variance as number
  return { values: rest, freedom, excess: squares / unit - freedom, fixed: others / unit }
}
