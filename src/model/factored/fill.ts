import type { Universe } from '../../schema/index.ts'
import type { AnswerSheet } from '../fitted-model.ts'
import { JointTables } from '../junction-tree/index.ts'
import { productAnswers } from './answers.ts'
import type { Part } from './part.ts'

/** A marginal over two attributes of one part. */
interface Pair {
  readonly first: number
  readonly second: number
  /** Where its answers begin. */
  readonly start: number
}

/**
 * Answers many queries at once. Marginals over independent attributes are products of one-way marginals, each taken once; pairs of
 * attributes of one part that share one of them are found together.
 */
export function fillSheet(
  { queries, attributesOf, isMarginal, starts, values }: AnswerSheet,
  places: ArrayLike<number>,
  parts: readonly Part[],
  { universe, records }: { universe: Universe; records: number },
): void {
  const pairs: Pair[] = []
  const set: number[] = []
  const known: (Float64Array | undefined)[] = []
  const sharesOf = (a: number) => (known[a] ??= parts[a]!.sharesOf(a))
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!
    const start = starts[place]!
    const axes = isMarginal[place] ? attributesOf(place, set) : undefined
    if (axes?.length === 2) {
      const [first, second] = [axes[0]!, axes[1]!]
      if (parts[first] === parts[second]) pairs.push({ first, second, start })
      else multiplyOut(values, start, records, sharesOf(first), sharesOf(second))
    } else if (axes && areIndependent(axes, parts)) {
      values[start] = records
      let length = 1
      for (let j = 0; j < axes.length; j++) length = spread(values, start, length, sharesOf(axes[j]!))
    } else write(productAnswers(queries.at(place)!, universe, parts), records, values, start)
  }
  fillPairs(pairs, parts, records, values)
}

function fillPairs(pairs: readonly Pair[], parts: readonly Part[], records: number, values: Float64Array): void {
  for (const [part, inPart] of Map.groupBy(pairs, ({ first }) => parts[first]!)) {
    const joint = new JointTables(part.tree)
    for (const [first, members] of Map.groupBy(inPart, (pair) => pair.first)) {
      const tables = joint.with(first)
      for (const { second, start } of members) write(tables.get(second)!, records, values, start)
    }
  }
}

function write(shares: Float64Array, records: number, values: Float64Array, start: number): void {
  for (let i = 0; i < shares.length; i++) values[start + i] = shares[i]! * records
}

function areIndependent(attributes: readonly number[], parts: readonly Part[]): boolean {
  for (let i = 1; i < attributes.length; i++)
    for (let j = 0; j < i; j++) if (parts[attributes[i]!] === parts[attributes[j]!]) return false
  return true
}

/** The product of two independent marginals: of most pairs, where there are many attributes. */
function multiplyOut(values: Float64Array, start: number, records: number, a: Float64Array, b: Float64Array): void {
  let next = start
  for (let i = 0; i < a.length; i++) {
    const number = records * a[i]!
    for (let j = 0; j < b.length; j++) values[next++] = number * b[j]!
  }
}

/** Multiplies so many numbers by all shares, in place, from the last on; returns how many they are then. */
function spread(values: Float64Array, start: number, length: number, shares: Float64Array): number {
  for (let i = length - 1; i >= 0; i--) {
    const number = values[start + i]!
    for (let code = shares.length - 1; code >= 0; code--)
      values[start + i * shares.length + code] = number * shares[code]!
  }
  return length * shares.length
}
