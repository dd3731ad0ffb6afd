import { axisSizes, marginal } from '../../../../query/index.ts'
import type { Universe } from '../../../../schema/index.ts'
import type { Combined, Precision } from '../combine.ts'
import { ownNoise } from '../fit.ts'
import { independent } from '../shrink.ts'
import { type NoisyPair, oddsRatios, twoByTwo } from './odds.ts'
import { plausible, straying } from './plausible.ts'
import { type Noisy, priors } from './prior.ts'
import { raked } from './raked.ts'
import { strays } from './strays.ts'

type OneWay = ReadonlyMap<string, Float64Array>

/** Tables as they may be in truth. */
export interface Truth {
  readonly tables: readonly Float64Array[]
  readonly oneWay: OneWay
  readonly total: number
}

/** Slices are scaled so many times along all axes. */
const rakings = 5
/** Of so many draws the mean is what is expected when it is judged how far tables stray. */
const drawsForMean = 8

/**
 * Draws tables that are plausible given what was released: one-way tables first, around equal counts; larger ones around what those
 * make of them, those of two by two values by their odds ratio. docs/algorithms/marginals-afterwards.md
 */
export function truths(
  universe: Universe,
  marginals: readonly (readonly string[])[],
  { combined, precision, random }: { combined: Combined; precision: Precision; random: () => number },
): () => Truth {
  const total = Math.max(0, Math.round(combined.total))
  const oneWay = oneWayTruths(combined, { precision, total, random })
  const larger = marginals.flatMap((attributes, i) => (attributes.length > 1 ? [i] : []))
  const noises = new Map(
    larger.map((i) => {
      const sizes = axisSizes(marginal(marginals[i]!), universe)
      const freedom = freedomOf(sizes)
      const own = ownNoise(precision, i, new Map(marginals[i]!.map((name, axis) => [name, sizes[axis]!])))
      return [i, { sizes, freedom, scale: scaleOf(own / freedom) }]
    }),
  )
  const noisy = (i: number, of: OneWay): NoisyPair => {
    const sums = sumsOf(marginals[i]!, of)
    return { values: combined.tables[i]!, expected: independent(sums, total), sums, ...noises.get(i)! }
  }
  const usual = meanOf(Array.from({ length: larger.length > 0 ? drawsForMean : 0 }, oneWay))
  const isTwoByTwo = (i: number) => noises.get(i)!.sizes.join() === '2,2'
  const pairs = larger.filter(isTwoByTwo)
  const odds = oddsRatios(pairs.map((i) => noisy(i, usual)))
  const others = larger.filter((i) => !isTwoByTwo(i))
  const far = strays(others.map((i) => noisy(i, usual)))
  return () => {
    const of = oneWay()
    const tables = marginals.map((attributes, i) => {
      if (attributes.length === 1) return of.get(attributes[0]!)!
      if (isTwoByTwo(i)) return twoByTwo(sumsOf(attributes, of), odds(pairs.indexOf(i), random))
      const table = noisy(i, of)
      return raked(straying(table, far(others.indexOf(i), random), random), table.sums, rakings)
    })
    return { tables, oneWay: of, total }
  }
}

function oneWayTruths(
  { oneWay }: Combined,
  { precision, total, random }: { precision: Precision; total: number; random: () => number },
): () => Map<string, Float64Array> {
  const names = [...oneWay.keys()]
  const noisy = names.map((name): Noisy => {
    const values = oneWay.get(name)!
    const freedom = freedomOf([values.length])
    const expected = new Float64Array(values.length).fill(total / values.length)
    return { values, expected, freedom, scale: scaleOf(precision.oneWay.get(name)!.variance / freedom) }
  })
  const shares = priors(noisy, random)
  return () => new Map(names.map((name, i) => [name, ofTotal(plausible(noisy[i]!, shares[i]!, random), total)]))
}

/** The share of cells that are free, given what they add up to: whole, and by the values of each of several attributes. */
function freedomOf(sizes: readonly number[]): number {
  const cells = sizes.reduce((product, n) => product * n, 1)
  const fixed = sizes.length === 1 ? 1 : sizes.reduce((sum, n) => sum + n - 1, 1)
  return Math.max(1, cells - fixed) / cells
}
/** Noise that is never seen still has a scale, so that nothing is divided by 0. */
const scaleOf = (variance: number): number => Math.sqrt(Math.max(variance, 1e-6) / 2)
const sumsOf = (attributes: readonly string[], oneWay: OneWay): Float64Array[] =>
  attributes.map((name) => oneWay.get(name)!)

function ofTotal(table: Float64Array, total: number): Float64Array {
  const sum = table.reduce((a, b) => a + b, 0)
  return sum > 0 ? table.map((count) => (count * total) / sum) : table.fill(total / table.length)
}

const meanOf = (draws: readonly OneWay[]): OneWay =>
  new Map(
    [...(draws[0] ?? [])].map(([name, { length }]) => [
      name,
      Float64Array.from({ length }, (_, i) => draws.reduce((sum, of) => sum + of.get(name)![i]!, 0) / draws.length),
    ]),
  )
