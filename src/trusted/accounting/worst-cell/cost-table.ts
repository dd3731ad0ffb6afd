import { attributesOf, weightAt } from '../../../query/index.ts'
import type { AnswerCharge } from '../charge.ts'
import { rateOf, rowsOf, type Terms } from '../price.ts'
import { sensitivity } from '../sensitivity.ts'
import { chargeUnits, type Units } from '../units.ts'
import { weights } from '../weights.ts'
import { factorColumn } from './column.ts'
import { merge, type Partition } from './partition.ts'

/** What a record pays for one charge, or several: a table over classes of a few attributes, the last running fastest. */
export interface CostTable {
  readonly attributes: readonly number[]
  readonly partitions: readonly Partition[]
  readonly units: Float64Array
}

/** A charge whose table would be larger is bounded on coarser classes. */
const limit = 2 ** 14

/** Units for a weight |w|, times the rows k of a unit: in ε the rate times k·|w|, in ρ times its square; rounded up once. */
function unitsOf(charge: AnswerCharge, weight: number, terms: Terms): Units {
  const rate = rateOf(charge, terms.currency)
  if (!rate) return weight === 0 ? 0 : Number.POSITIVE_INFINITY
  const moved = BigInt(rowsOf(terms)) * BigInt(weight)
  return chargeUnits(rate, terms.currency === 'rho' ? moved * moved : moved)
}

/** The most that a charge costs any record, times the rows of a unit. */
export const mostUnits = (charge: AnswerCharge, terms: Terms): Units =>
  unitsOf(charge, sensitivity(charge.query, terms.universe), terms)

/** What a charge costs a record in one cell (codes in the universe's order), times the rows of a unit. */
export const costAt = (charge: AnswerCharge, cell: ArrayLike<number>, terms: Terms): Units =>
  unitsOf(charge, Math.abs(weightAt(charge.query, terms.universe, cell)), terms)

/** What one charge costs a record, in every cell at least k·|w|/b, and exactly that (in units) where w is known exactly. */
export function costTable(charge: AnswerCharge, terms: Terms): CostTable {
  return boxTable(charge, terms) ?? generalTable(charge, terms)
}

/**
 * Of one box of cells, as most charges are: its price inside, and nothing outside. The same table as the general one, without the
 * arithmetic; undefined for any other query.
 */
function boxTable(charge: AnswerCharge, terms: Terms): CostTable | undefined {
  const { query } = charge
  const [term, ...more] = query.terms
  if (!term?.coefficient || more.length > 0 || query.by.some(({ groups }) => groups)) return undefined
  const [attributes, partitions]: [number[], Partition[]] = [[], []]
  let inside = 0
  for (const name of attributesOf(query, terms.universe)) {
    const factor = term.factors[name]
    // Every record is in some group, whatever its code.
    if (!factor) continue
    if (factor.kind !== 'interval' && factor.kind !== 'set') return undefined
    const attribute = terms.universe.index.get(name)!
    const { partition, low } = factorColumn(factor, terms.universe.attributes[attribute]!.size)
    if (!low.includes(1)) return undefined
    if (partition.count === 1) continue
    attributes.push(attribute)
    partitions.push(partition)
    inside = 2 * inside + low.indexOf(1)
  }
  const units = new Float64Array(2 ** attributes.length)
  units[inside] = mostUnits(charge, terms)
  return { attributes, partitions, units }
}

function generalTable(charge: AnswerCharge, terms: Terms): CostTable {
  const { axes, low, high } = weights(charge.query, terms.universe, limit)
  const most = sensitivity(charge.query, terms.universe)
  const known = new Map<number, Units>()
  const cost = (weight: number): Units => {
    const units = known.get(weight) ?? unitsOf(charge, weight, terms)
    known.set(weight, units)
    return units
  }
  const units = Float64Array.from(low, (l, i) => cost(Math.min(most, Math.max(Math.abs(l), Math.abs(high[i]!)))))
  return axes.reduce((table, axis) => simplify(table, axis.attribute), {
    attributes: axes.map((a) => a.attribute),
    partitions: axes.map((a) => a.partition),
    units,
  } as CostTable)
}

/** Puts the classes of one axis together that cost the same everywhere; an axis of one class goes. */
function simplify(table: CostTable, attribute: number): CostTable {
  const axis = table.attributes.indexOf(attribute)
  const { count } = table.partitions[axis]!
  const inner = table.partitions.slice(axis + 1).reduce((n, p) => n * p.count, 1)
  const outer = table.units.length / (inner * count)
  const sliceOf = (c: number) =>
    Array.from({ length: outer }, (_, o) => table.units.subarray((o * count + c) * inner, (o * count + c + 1) * inner))
  const kept = new Map<string, number>()
  const labels: number[] = []
  const slices: Float64Array[][] = []
  for (let c = 0; c < count; c++) {
    const slice = sliceOf(c)
    const key = slice.map((part) => part.join()).join()
    if (!kept.has(key)) {
      kept.set(key, kept.size)
      slices.push(slice)
    }
    labels.push(kept.get(key)!)
  }
  const units = new Float64Array(outer * slices.length * inner)
  for (let o = 0, at = 0; o < outer; o++)
    for (const slice of slices) {
      units.set(slice[o]!, at)
      at += inner
    }
  const one = slices.length === 1
  return {
    attributes: one ? table.attributes.toSpliced(axis, 1) : table.attributes,
    partitions: one
      ? table.partitions.toSpliced(axis, 1)
      : table.partitions.with(axis, merge(table.partitions[axis]!, labels)),
    units,
  }
}
