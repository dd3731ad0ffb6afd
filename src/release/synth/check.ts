import type { Rows } from '../../model/index.ts'
import { divide, rational, toNumber } from '../../numeric/index.ts'
import { answerSize, type LinearQuery, marginal, noiseDeviation } from '../../query/index.ts'
import { problem, type Universe } from '../../schema/index.ts'
import { stoppingPoint } from '../interruption.ts'
import { closing } from '../marginals/closing.ts'
import { wholeUnits } from '../marginals/share.ts'
import type { Bought } from '../meter.ts'
import { amountOf, drawOf, lawForScore, ofSameCurrency, type RunLaw } from './budget.ts'
import type { SynthBudget, SynthContext, SynthTerms } from './method.ts'

/** The distance of a finished table from the private one, with noise. */
export interface CheckedTable {
  /** The mean, over all pairs of attributes, of the total variation between the two tables' marginals. */
  readonly variation: number
  /** The standard deviation of the noise in it. */
  readonly deviation: number
  readonly pairs: readonly CheckedPair[]
  /** The number of pairs whose tables are too large to be compared. */
  readonly leftOut: number
  /** What it cost, in the currency of the table's budget. */
  readonly price: number
}
interface CheckedPair {
  readonly attributes: readonly string[]
  readonly variation: number
  readonly deviation: number
}

/** What a check asks for, and the noise of each score. */
export interface CheckPlan {
  /** The attributes of each, and how many pairs are left out because their tables are too large. */
  readonly pairs: readonly (readonly string[])[]
  readonly leftOut: number
  readonly queries: readonly LinearQuery[]
  readonly law: RunLaw
  /** Of the mean distance, in records: divided by twice their number it is a total variation. */
  readonly deviation: number
}

/** All exact tables are in memory at once. */
const mostCells = 2 ** 24

/** Every pair of attributes costs the same. If they do not all fit in memory, the largest are left out. */
export function planCheck(budget: SynthBudget, { universe, distanceSensitivity }: SynthTerms): CheckPlan {
  const all = pairsOf(universe)
  const pairs = smallest(all, universe)
  if (pairs.length === 0) throw tooLarge()
  const queries = pairs.map(marginal)
  const price = wholeUnits(divide(amountOf(budget), rational(queries.length)))
  const moved = queries.map(distanceSensitivity).reduce((most, each) => (each > most ? each : most), 1n)
  const law = lawForScore(moved, ofSameCurrency(budget, price))
  const deviation = noiseDeviation(law) / Math.sqrt(queries.length)
  return { pairs, leftOut: all.length - pairs.length, queries, law, deviation }
}

/** Asks how far the private table's marginals are from those of the rows, all in one run. */
export async function checkRows<Receipt extends Bought>(
  rows: Rows,
  records: number,
  budget: SynthBudget,
  context: SynthContext<Receipt>,
): Promise<{ readonly check: CheckedTable; readonly receipt: Receipt }> {
  const { universe, meter, signal } = context
  const { queries, law, deviation, ...planned } = planCheck(budget, context)
  await stoppingPoint(signal)
  const draws = await meter.openDraws({ ...budget, queries })
  const distances: number[] = []
  const receipt = await closing(draws, async () => {
    for (const [query, attributes] of planned.pairs.entries()) {
      await stoppingPoint(signal)
      const model = tableOf(rows, attributes, universe, records)
      distances.push(Number(draws.score({ ...drawOf(query, law), model })))
    }
  })
  const variation = (distance: number) => distance / (2 * records)
  const pairs = planned.pairs.map((attributes, i) => ({
    attributes,
    variation: variation(distances[i]!),
    deviation: variation(noiseDeviation(law)),
  }))
  const mean = pairs.reduce((sum, pair) => sum + pair.variation, 0) / pairs.length
  const { leftOut } = planned
  return {
    check: { variation: mean, deviation: variation(deviation), pairs, leftOut, price: toNumber(amountOf(budget)) },
    receipt,
  }
}

/** Of a table of one attribute, that attribute. */
function pairsOf({ attributes }: Universe): string[][] {
  const names = attributes.filter(({ size }) => size > 1).map(({ name }) => name)
  if (names.length < 2) return [names]
  return names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]))
}

/** In their own order. */
function smallest(pairs: readonly string[][], universe: Universe): string[][] {
  const sized = pairs.map((pair) => ({ pair, cells: answerSize(marginal(pair), universe) }))
  const kept = new Set<string[]>()
  let cells = 0
  for (const each of sized.toSorted((a, b) => a.cells - b.cells)) {
    cells += each.cells
    if (cells <= mostCells) kept.add(each.pair)
  }
  return pairs.filter((pair) => kept.has(pair))
}

/** The rows' own table over some attributes, as large as the private one, in whole numbers. */
function tableOf(rows: Rows, names: readonly string[], { attributes, index }: Universe, records: number): Float64Array {
  const places = names.map((name) => index.get(name)!)
  const table = new Float64Array(places.reduce((size, place) => size * attributes[place]!.size, 1))
  const count = rows[0]!.length
  for (let row = 0; row < count; row++) {
    let cell = 0
    for (const place of places) cell = cell * attributes[place]!.size + rows[place]![row]!
    table[cell]!++
  }
  // Carry the rounding error over to the next cell, so that the total stays the same.
  let [sum, before] = [0, 0]
  return table.map((value) => {
    sum += value
    const reached = Math.round((sum * records) / count)
    const whole = reached - before
    before = reached
    return whole
  })
}

const tooLarge = () =>
  problem(
    'usage',
    `a check compares pairs of attributes, and every pair has more than ${mostCells.toLocaleString('en')} cells`,
    'Leave out --check.',
    { limit: mostCells },
  )
