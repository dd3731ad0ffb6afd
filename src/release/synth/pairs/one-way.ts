import { type GroupedMarginal, singletons } from '../../../model/index.ts'
import { marginal, noiseVariance } from '../../../query/index.ts'
import { type Attribute, isOrdered, type Universe } from '../../../schema/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { closing } from '../../marginals/closing.ts'
import { projectOntoSimplex } from '../../marginals/consistency/simplex.ts'
import { unlessGuarded } from '../../marginals/guarded.ts'
import type { Bought } from '../../meter.ts'
import { drawOf, lawFor, partsOf, type RunLaw } from '../budget.ts'
import type { SynthBudget, SynthContext, SynthTerms } from '../method.ts'
import { combinedCount, type NumberOfRecords } from '../records.ts'
import type { KnownTables } from './known.ts'
import { powerOfCells, severalValued } from './shares.ts'
import { shrunkCounts } from './shrunk-counts.ts'
import { smoothed } from './smoothing.ts'

/** A one-way marginal to buy, and its noise. */
interface OneWayPurchase {
  readonly attribute: number
  readonly law: RunLaw
}

/** What the first look at a table has shown: every attribute by itself. */
interface OneWay<Receipt extends Bought> {
  readonly counts: readonly Float64Array[]
  /** How many there are, by all of them. */
  readonly records: number
  /** As they were bought. */
  readonly marginals: readonly GroupedMarginal[]
  readonly receipts: readonly Receipt[]
}

/** All one-way marginals but those that the history tells as precisely as they would be bought. */
export function oneWayPurchases(budget: SynthBudget, known: KnownTables, terms: SynthTerms): OneWayPurchase[] {
  const { attributes } = terms.universe
  const bought = (wanted: readonly number[]): OneWayPurchase[] => {
    if (wanted.length === 0) return []
    const prices = partsOf(
      budget,
      wanted.map((a) => attributes[a]!.size ** powerOfCells(budget)),
    )
    return wanted.map((a, i) => ({ attribute: a, law: lawFor(marginal([attributes[a]!.name]), prices[i]!, terms) }))
  }
  const wanted = bought(severalValued(terms.universe)).filter(({ attribute, law }) => {
    const told = known.about([attribute])
    return !told || told.variance > noiseVariance(law)
  })
  return bought(wanted.map(({ attribute }) => attribute))
}

/** Buys them in one run. What a guard holds back is not known. */
export async function measureOneWay<Receipt extends Bought>(
  budget: SynthBudget | undefined,
  { records: settled, known }: { readonly records: NumberOfRecords; readonly known: KnownTables },
  context: SynthContext<Receipt>,
): Promise<OneWay<Receipt>> {
  const { universe, meter, signal } = context
  const { attributes } = universe
  const purchases = budget ? oneWayPurchases(budget, known, context) : []
  const marginals: GroupedMarginal[] = []
  const receipts: Receipt[] = []
  if (purchases.length > 0) {
    const queries = purchases.map(({ attribute }) => marginal([attributes[attribute]!.name]))
    const draws = await meter.openDraws({ queries, ...budget! })
    const work = async () => {
      for (const [place, { attribute, law }] of purchases.entries()) {
        await stoppingPoint(signal)
        const answer = unlessGuarded(() => draws.draw(drawOf(place, law)))
        if (!answer) continue
        const values = Float64Array.from<number | bigint>(answer, Number)
        marginals.push({
          axes: [{ attribute, groups: singletons(values.length) }],
          values,
          variance: noiseVariance(law),
        })
      }
    }
    receipts.push(await closing(draws, work))
  }
  const records = betterCount(settled, marginals)
  return { counts: likelyCounts(universe, records, marginals, known), records, marginals, receipts }
}

/** By attribute: smoothed where its codes have an order, shrunk where not; not negative, and adding up to the number of records. */
export function likelyCounts(
  { attributes }: Universe,
  records: number,
  marginals: readonly GroupedMarginal[],
  known: Pick<KnownTables, 'about'>,
): Float64Array[] {
  return attributes.map((attribute, a) => {
    const { values, variance } = estimated(a, attribute.size, marginals, known)
    const likely = variance < Infinity ? denoised(attribute, values, variance, records) : values
    projectOntoSimplex(likely, records)
    return likely
  })
}

const denoised = (attribute: Attribute, values: Float64Array, variance: number, records: number): Float64Array =>
  isOrdered(attribute) ? smoothed(values, variance) : shrunkCounts(values, variance, records)

/** Every marginal adds up to the number of records, too: all of them together often tell it better than what was bought for it. */
function betterCount(settled: NumberOfRecords, marginals: readonly GroupedMarginal[]): number {
  const sums = marginals.map(({ values, variance }) => ({
    count: Float64Array.from(values).reduce((sum, value) => sum + value, 0),
    variance: (variance as number) * values.length,
  }))
  return Math.max(1, Math.round(combinedCount([settled, ...sums]).count))
}

/** From what was bought and what is known; zeros where there is nothing, which the projection makes equal. */
function estimated(
  attribute: number,
  size: number,
  marginals: readonly GroupedMarginal[],
  known: Pick<KnownTables, 'about'>,
): { readonly values: Float64Array; readonly variance: number } {
  const bought = marginals.find(({ axes }) => axes[0]!.attribute === attribute)
  const tables = [bought, known.about([attribute])].filter((table) => table !== undefined)
  const weights = tables.map(({ variance }) => 1 / (variance as number))
  const sum = weights.reduce((a, b) => a + b, 0)
  const mean = (code: number) => tables.reduce((at, { values }, t) => at + (weights[t]! / sum) * values[code]!, 0)
  return { values: Float64Array.from({ length: size }, (_, code) => mean(code)), variance: 1 / sum }
}
