import { drawnKind, explained, scaled } from './mixture.ts'
import type { Noisy } from './prior.ts'

/** A table of two by two values, and what its slices add up to. */
export interface NoisyPair extends Noisy {
  readonly sums: readonly Float64Array[]
}

/** The logarithm of an odds ratio is taken to be one of these: 0 is independence. */
const [most, step] = [6, 0.25]
const kinds = Float64Array.from({ length: (2 * most) / step + 1 }, (_, k) => k * step - most)
/** Where nothing is known small ones are likelier, by a normal law of this deviation; as if so many tables more had been seen of it. */
const [usual, more] = [1.5, 2]

/**
 * A table of two by two values whose sums are given is one number, its odds ratio (ad/bc). Which are likely all such tables together tell, since each by itself may
 * be hidden by noise: empirical Bayes, without a form for their law. Draws the logarithm of a plausible one.
 */
export function oddsRatios(tables: readonly NoisyPair[]): (table: number, random: () => number) => number {
  const flat = kinds.map((log) => Math.exp(-0.5 * (log / usual) ** 2))
  const likely = tables.map(likelihoods)
  const shares = explained(likely, scaled(flat, more))
  return (table, random) => {
    const chances = shares.map((share, k) => share * likely[table]![k]!)
    return kinds[drawnKind(chances, random)]! + (random() - 0.5) * step
  }
}

/** How likely noise is to make the table what it is, by kind: all four cells are off by the same number. */
function likelihoods({ values, sums, scale }: NoisyPair): Float64Array {
  const seen = interaction(values)
  const noise = (2 * scale * scale) / 4
  const off = kinds.map((log) => {
    return (seen - interaction(twoByTwo(sums, log))) ** 2 / (2 * noise)
  })
  const least = Math.min(...off)
  return off.map((one) => Math.exp(least - one))
}

/** The mean of what the cells have beyond their sums. */
const interaction = (table: Float64Array): number => (table[0]! - table[1]! - table[2]! + table[3]!) / 4

/** The table of these sums and this odds ratio. */
export function twoByTwo([rows, columns]: readonly Float64Array[], logOdds: number): Float64Array {
  const [row, column] = [rows![0]!, columns![0]!]
  const total = row + rows![1]!
  const odds = Math.exp(logOdds)
  // a·d = odds·b·c is (odds - 1)·a² - (total + (odds - 1)·(row + column))·a + odds·row·column = 0; its smaller root, without a difference of near numbers.
  const linear = total + (odds - 1) * (row + column)
  const root = Math.sqrt(Math.max(0, linear * linear - 4 * (odds - 1) * odds * row * column))
  const a = linear + root > 0 ? (2 * odds * row * column) / (linear + root) : 0
  return Float64Array.of(a, row - a, column - a, total - row - column + a).map((count) => Math.max(0, count))
}
