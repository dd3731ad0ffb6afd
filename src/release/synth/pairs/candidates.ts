import { groupSums, type Partition } from '../../../model/index.ts'
import { countAll, type Grouping, type Indicator, type LinearQuery } from '../../../query/index.ts'
import { type Attribute, isOrdered, type Universe } from '../../../schema/index.ts'
import { type Levels, levelsOf } from './levels.ts'
import { mostGroups } from './limits.ts'

/** Two attributes, and the tables over their groups that one may choose between, the finest first; at least one. */
export interface Pair {
  readonly attributes: readonly [number, number]
  readonly tables: readonly PairTable[]
}
interface PairTable {
  readonly groups: readonly [Partition, Partition]
  /** The coarsest level that looks like this. */
  readonly level: number
  readonly cells: number
  readonly query: LinearQuery
}

/** γ, the finest level first. */
export const fineness = [48, 24, 12, 6, 3, 1.5]
/** What a pair gets where nothing else is known about it. */
export const usualLevel = 4
export const usualTable = ({ tables }: Pair): PairTable =>
  tables.find(({ level }) => level >= usualLevel) ?? tables.at(-1)!

/** About how many groups an attribute of many codes has where nothing else is known about it. */
export const usualGroups = (records: number, deviation: number): number =>
  fineness[usualLevel]! * Math.cbrt(records / deviation)

/**
 * A table has about (n/σ)^(2/3) cells where noise of deviation σ and merging cost the same; thresholds are
 * around that.
 */
export function attributeLevels(
  universe: Universe,
  counts: readonly Float64Array[],
  { records, deviation }: { readonly records: number; readonly deviation: number },
): Levels[] {
  const usual = records / Math.cbrt(records / deviation)
  const thresholds = fineness.map((gamma) => usual / gamma)
  const groups = mostGroups(universe)
  return universe.attributes.map((attribute, a) =>
    levelsOf(orderOf(attribute, counts[a]!), counts[a]!, thresholds, groups),
  )
}

/** Numbers and dates in their order, categories by falling count. */
function orderOf(attribute: Attribute, counts: Float64Array): Int32Array {
  const codes = Int32Array.from({ length: attribute.size }, (_, code) => code)
  return isOrdered(attribute) ? codes : codes.sort((a, b) => counts[b]! - counts[a]! || a - b)
}

/** All pairs with all their different tables. A pair of which one side is a single group says nothing new. */
export function allPairs(universe: Universe, levels: readonly Levels[]): Pair[] {
  const pairs: Pair[] = []
  for (let i = 0; i < levels.length; i++)
    for (let j = i + 1; j < levels.length; j++) {
      const tables = tablesOf(universe, [i, j], levels)
      if (tables.length > 0) pairs.push({ attributes: [i, j], tables })
    }
  return pairs
}

function tablesOf({ attributes }: Universe, [i, j]: readonly [number, number], levels: readonly Levels[]): PairTable[] {
  const tables: PairTable[] = []
  for (let level = 0; level < fineness.length; level++) {
    const groups = [levels[i]![level]!, levels[j]![level]!] as const
    const cells = groups[0].count * groups[1].count
    if (Math.min(groups[0].count, groups[1].count) < 2) break
    // Nested groupings of equally many groups are the same.
    if (tables.at(-1)?.cells === cells) tables.pop()
    const by = [i, j].map((a, side) => groupingOf(attributes[a]!.name, groups[side]!))
    tables.push({ groups, level, cells, query: { ...countAll, by } })
  }
  return tables
}

function groupingOf(attribute: string, { groupOf, count }: Partition): Grouping {
  if (count === groupOf.length) return { attribute }
  const codes = Array.from({ length: count }, (): number[] => [])
  for (const [code, group] of groupOf.entries()) codes[group]!.push(code)
  return { attribute, groups: codes.map(indicatorOf) }
}

const indicatorOf = (codes: readonly number[]): Indicator =>
  codes.at(-1)! - codes[0]! === codes.length - 1
    ? { kind: 'interval', from: codes[0]!, to: codes.at(-1)! }
    : { kind: 'set', codes }

/** What a table would hold if its attributes were independent. */
export function independentTable(
  attributes: Pair['attributes'],
  groups: PairTable['groups'],
  counts: readonly Float64Array[],
  records: number,
): Float64Array {
  const [rows, columns] = groups.map((partition, side) => groupSums(partition, counts[attributes[side]!]!))
  const means = new Float64Array(rows!.length * columns!.length)
  for (let a = 0, cell = 0; a < rows!.length; a++)
    for (let b = 0; b < columns!.length; b++) means[cell++] = (rows![a]! * columns![b]!) / records
  return means
}
