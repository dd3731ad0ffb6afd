import { groupSums, type Partition, type TableModel } from '../../../model/index.ts'
import type { Levels } from './levels.ts'

/** A table over groups of two attributes. */
interface GroupedPair {
  readonly attributes: readonly [number, number]
  readonly groups: readonly [Partition, Partition]
}

/** What groups hide goes with their width to this power, about, and is at most so much of what the next wider ones lose. */
const [power, most] = [1.5, 0.5]

/**
 * What groups hide of a table, told from a model of it: the part of what wider groups would lose that these have lost already. Groups
 * that are r times as wide hide r^1.5 times as much, so the difference is r^1.5 - 1 times what is hidden here.
 */
export function hiddenBelow(model: TableModel, pair: GroupedPair, levels: readonly Levels[]): number {
  const widths = pair.groups.map((own, side) => own.count / widerThan(own, levels[pair.attributes[side]!]!).count)
  const times = Math.max(...widths) ** power - 1
  return times > 0 ? Math.min(most, 1 / times) * lostByMerging(model, pair, levels) : 0
}

/**
 * What a model's table over these groups would lose if they were merged once more, where they merge values already: the total variation
 * between it and its own table at the next level, spread out in proportion.
 */
function lostByMerging(model: TableModel, { attributes, groups }: GroupedPair, levels: readonly Levels[]): number {
  const table = model.marginal(attributes)
  const sides = groups.map((own, side) => sideOf(own, levels[attributes[side]!]!, model.marginal([attributes[side]!])))
  const [down, across] = [sides[0]!, sides[1]!]
  const fine = addedUp(table, groups)
  const merged = addedUp(table, [down.wider, across.wider])
  let lost = 0
  for (let a = 0, cell = 0; a < down.share.length; a++)
    for (let b = 0; b < across.share.length; b++, cell++) {
      const around = merged[down.into[a]! * across.wider.count + across.into[b]!]!
      lost += Math.abs(fine[cell]! - around * down.share[a]! * across.share[b]!)
    }
  return lost / (2 * model.records)
}

/** Of one attribute: the wider groups, the one that each group falls in, and its share of that. */
function sideOf(own: Partition, levels: Levels, counts: Float64Array) {
  const wider = widerThan(own, levels)
  const into = new Int32Array(own.count)
  for (const [code, group] of own.groupOf.entries()) into[group] = wider.groupOf[code]!
  const around = groupSums(wider, counts)
  const share = groupSums(own, counts).map((sum, group) => sum / (around[into[group]!]! || 1))
  return { wider, into, share }
}

/** The next level of groups; the same where every value stands alone, since nothing is hidden there. */
function widerThan(own: Partition, levels: Levels): Partition {
  if (own.count === own.groupOf.length) return own
  return levels.find(({ count }) => count < own.count) ?? { groupOf: new Int32Array(own.groupOf.length), count: 1 }
}

function addedUp(table: Float64Array, [down, across]: readonly [Partition, Partition]): Float64Array {
  const sums = new Float64Array(down.count * across.count)
  for (let a = 0, cell = 0; a < down.groupOf.length; a++)
    for (let b = 0; b < across.groupOf.length; b++, cell++)
      sums[down.groupOf[a]! * across.count + across.groupOf[b]!]! += table[cell]!
  return sums
}
