import type { GroupedMarginal } from '../../../model/index.ts'
import { noiseVariance } from '../../../query/index.ts'
import { stoppingPoint } from '../../interruption.ts'
import { closing } from '../../marginals/closing.ts'
import { unlessGuarded } from '../../marginals/guarded.ts'
import type { Bought, Draws } from '../../meter.ts'
import { drawOf, lawFor, lawForScore, partsOf, sumOf } from '../budget.ts'
import type { SynthBudget, SynthContext } from '../method.ts'
import { independentTable, type Pair, usualTable } from './candidates.ts'
import type { PairWeights } from './pair-weights.ts'
import { bestLevel, type ScoredLevel, samplingDistance } from './scores.ts'
import { powerOfCells } from './shares.ts'

/** What is known when pairs are measured, and what that may cost. */
interface PairsToMeasure {
  readonly pairs: readonly Pair[]
  readonly weightOf: PairWeights
  readonly records: number
  /** By attribute, as far as they are known. */
  readonly counts: readonly Float64Array[]
  /** Of the noise if all pairs' tables had the same. */
  readonly deviation: number
  readonly scores?: SynthBudget
  readonly tables?: SynthBudget
}

interface MeasuredPairs<Receipt extends Bought> {
  readonly marginals: readonly GroupedMarginal[]
  /** So many scores were bought: none where a guard forbids them or no pair has a choice. */
  readonly scores: number
  readonly receipts: readonly Receipt[]
}

/** Chooses a table for every pair by noisy scores, where they are paid for, and measures it once: all in one run. */
export async function measurePairs<Receipt extends Bought>(
  asked: PairsToMeasure,
  context: SynthContext<Receipt>,
): Promise<MeasuredPairs<Receipt>> {
  const { pairs, tables: budget } = asked
  if (pairs.length === 0 || !budget) return { marginals: [], scores: 0, receipts: [] }
  const several = pairs.filter(({ tables }) => tables.length > 1)
  const isScored = asked.scores !== undefined && paysToScore(several, asked.scores)
  // Where there is nothing to choose, only what will be measured is looked up.
  const offered = pairs.map((pair) => (isScored ? pair : { ...pair, tables: [usualTable(pair)] }))
  const places = [0]
  for (const [p, { tables }] of offered.entries()) places.push(places[p]! + tables.length)
  const queries = offered.flatMap(({ tables }) => tables.map(({ query }) => query))
  const whole = asked.scores ? sumOf(asked.scores, budget) : budget
  const draws = await context.meter.openDraws({ queries, ...whole })
  const marginals: GroupedMarginal[] = []
  let scores = 0
  const receipt = await closing(draws, async () => {
    await stoppingPoint(context.signal)
    const chosen = isScored ? chooseByScores({ ...asked, pairs: offered }, places, draws, context) : undefined
    scores = chosen ? several.reduce((sum, { tables }) => sum + tables.length, 0) : 0
    const tables = offered.map((pair, p) => (chosen ? pair.tables[chosen[p]!]! : usualTable(pair)))
    const prices = partsOf(
      chosen ? budget : whole,
      tables.map(({ cells }, p) => (asked.weightOf(pairs[p]!.attributes) * cells) ** powerOfCells(whole)),
    )
    for (const [p, table] of tables.entries()) {
      await stoppingPoint(context.signal)
      const law = lawFor(table.query, prices[p]!, context)
      const place = places[p]! + offered[p]!.tables.indexOf(table)
      const values = unlessGuarded(() => draws.draw(drawOf(place, law)))
      if (!values) continue
      marginals.push({
        axes: table.groups.map((groups, side) => ({ attribute: pairs[p]!.attributes[side]!, groups })),
        values: Float64Array.from<number | bigint>(values, Number),
        variance: noiseVariance(law),
      })
    }
  })
  return { marginals, scores, receipts: [receipt] }
}

/** Where usual tables have fewer cells, on average, scores are not worth their price in ε. Settled on generated tables. */
const fewCells = 100

/** Whether there is something to choose, and scores tell enough about it: in ε each of many is told with much noise. */
const paysToScore = (several: readonly Pair[], { rho }: SynthBudget): boolean =>
  several.length > 0 && (rho !== undefined || usualCells(several) >= fewCells)

const usualCells = (pairs: readonly Pair[]): number =>
  pairs.reduce((sum, pair) => sum + usualTable(pair).cells, 0) / pairs.length

/** By pair the place of its table; undefined where a guard forbids scores. A pair with a single table needs none. */
function chooseByScores(
  { pairs, records, counts, deviation, scores }: PairsToMeasure,
  places: readonly number[],
  draws: Draws,
  { distanceSensitivity }: Pick<SynthContext, 'distanceSensitivity'>,
): readonly number[] | undefined {
  const several = pairs.filter(({ tables }) => tables.length > 1)
  const count = several.reduce((sum, { tables }) => sum + tables.length, 0)
  const price = partsOf(scores!, new Array<number>(count).fill(1))[0]!
  // A part of the budget ∝ cells^p leaves a noise ∝ cells^-p in ε, and its root in ρ.
  const exponent = powerOfCells(scores!) / (scores!.rho ? 2 : 1)
  const noise = { deviation, usualCells: usualCells(several), exponent }
  const chosen: number[] = []
  for (const [p, { attributes, tables }] of pairs.entries()) {
    const levels: ScoredLevel[] = []
    for (const [t, { groups, cells, query }] of tables.length > 1 ? tables.entries() : []) {
      const means = independentTable(attributes, groups, counts, records)
      const draw = drawOf(places[p]! + t, lawForScore(distanceSensitivity(query), price))
      const score = unlessGuarded(() => draws.score({ ...draw, model: means.map(Math.round) }))
      if (score === undefined) return undefined
      levels.push({ cells, dependence: Number(score) - samplingDistance(means) })
    }
    chosen.push(levels.length > 0 ? bestLevel(levels, noise) : 0)
  }
  return chosen
}
