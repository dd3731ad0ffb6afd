import { explained, scaled } from './mixture.ts'

/** Noisy counts of a table, what is expected of them, and the scale of the noise, taken for Laplace's. */
export interface Noisy {
  readonly values: Float64Array
  readonly expected: Float64Array
  /** As if cells had nothing to do with each other: what they have in common is in what is expected. */
  readonly scale: number
  /** The share of the cells that are free to differ from what is expected, given what they must add up to. */
  readonly freedom: number
}

/** A true count is taken to be one of these multiples of what is expected: 0, and by half octaves. */
const [first, last, perOctave] = [-10, 8, 2]
export const kinds: number = (last - first) * perOctave + 2
export const multiples: Float64Array = Float64Array.from({ length: kinds }, (_, k) =>
  k === 0 ? 0 : 2 ** (first + (k - 1) / perOctave),
)
/** From where to where a kind reaches. */
export const ends = (kind: number): readonly [low: number, high: number] =>
  kind === 0 ? [0, 0] : [multiples[kind]! * 2 ** (-0.5 / perOctave), multiples[kind]! * 2 ** (0.5 / perOctave)]
/** How much a kind has of the logarithm. */
export const logWidth: number = Math.LN2 / perOctave

/** Where nothing is known all tables of a total are as likely: a count is then nearly exponential. */
const flat = multiples.map((_, k) => (k === 0 ? 2 ** first : Math.exp(-ends(k)[0]) - Math.exp(-ends(k)[1])))
/** As if so many cells more had been seen: of all tables, and of each. */
const [ofAll, ofEach] = [2, 4]
/** About so many cells of all tables are looked at, and of each at least so many. */
const [mostCells, leastCells] = [10_000, 20]

/** The shares of the kinds that explain all tables best, then each by itself: empirical Bayes, by expectation maximisation. */
export function priors(tables: readonly Noisy[], random: () => number): Float64Array[] {
  const cells = tables.reduce((sum, { values }) => sum + values.length, 0)
  const likely = tables.map((table) => sampled(table, mostCells / cells, random))
  const pooled = explained(likely.flat(), scaled(flat, ofAll))
  return likely.map((of) => explained(of, scaled(pooled, ofEach)))
}

/** How likely noise is to make a noisy count of each kind, up to a factor. */
export function likelihoods({ values, expected, scale }: Noisy, cell: number, into: Float64Array): Float64Array {
  const [y, m] = [values[cell]!, expected[cell]!]
  // The likeliest kind is never so unlikely that it is lost: negative counts are farthest from all.
  const off = Math.max(0, -y)
  for (let k = 0; k < kinds; k++) into[k] = Math.exp((off - Math.abs(y - m * multiples[k]!)) / scale)
  return into
}

function sampled(table: Noisy, share: number, random: () => number): Float64Array[] {
  const { length } = table.values
  const some = Math.max(share, leastCells / length)
  const made: Float64Array[] = []
  for (let cell = 0; cell < length; cell++)
    if (some >= 1 || random() < some) made.push(likelihoods(table, cell, new Float64Array(kinds)))
  return made
}
