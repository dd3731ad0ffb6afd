import { type Rational, rational } from '../../numeric/index.ts'
import type { Integers } from '../../query/index.ts'

/** A choice among a run's queries: the likelier the further a query's exact answers are from the model's. */
export interface SelectionRequest {
  /** Places among the run's queries, ascending. */
  readonly candidates: ArrayLike<number>
  /** The model's answers to the candidates, one after the other, in whole steps. Any public numbers will do. */
  readonly model: ArrayLike<number> | readonly bigint[]
  /** What each distance counts: whole numbers above 0, 1 unless given. */
  readonly weights?: ArrayLike<number>
  /** What is taken off each weighted distance: whole numbers, 0 unless given. */
  readonly penalties?: ArrayLike<number>
  /** What the choice costs every record. */
  readonly epsilon: Rational
}

/** The same once it was read: nobody else has these arrays. */
interface ReadSelection {
  readonly candidates: readonly number[]
  readonly model: Integers
  readonly weights: Float64Array | undefined
  readonly penalties: Float64Array | undefined
  readonly epsilon: Rational
}

const wrong = (message: string) => new RangeError(message)

/**
 * A copy of one's own, each number read once and looked at after that, so that what is checked is what is used.
 * `sizes` are those of the run's answers.
 */
export function readSelection(given: SelectionRequest, sizes: readonly number[]): ReadSelection {
  const { candidates, model, weights, penalties, epsilon } = given
  const places = wholes(candidates, candidates.length, sizes.length)
  if (places.length === 0) throw wrong('a selection needs a candidate')
  if (!places.every((place, i) => place >= 0 && place < sizes.length && (i === 0 || place > places[i - 1]!)))
    throw wrong("candidates are places among the run's queries, ascending")
  const cells = places.reduce((sum, place) => sum + sizes[place]!, 0)
  const scaled = weights && wholes(weights, places.length, places.length)
  if (scaled?.some((weight) => weight < 1)) throw wrong('weights must be above 0')
  const read = {
    candidates: [...places],
    model: readModel(model, cells),
    weights: scaled,
    penalties: penalties && wholes(penalties, places.length, places.length),
    epsilon: rational(epsilon.num, epsilon.den),
  }
  if (read.epsilon.num <= 0n) throw wrong('a selection needs an ε above 0')
  return read
}

/** As doubles, or as BigInts where one is of them. */
export function readModel(model: ArrayLike<number> | readonly bigint[], cells: number): Integers {
  if (model.length !== cells) throw wrong('a model has as many answers as there are cells')
  const doubles = new Float64Array(cells)
  for (let i = 0; i < cells; i++) {
    const value = model[i]!
    if (typeof value === 'bigint') return bigints(model, cells, [...Array.from(doubles.subarray(0, i), BigInt), value])
    if (!Number.isSafeInteger(value)) throw notWhole()
    doubles[i] = value
  }
  return doubles
}

function bigints(model: ArrayLike<number | bigint>, cells: number, read: bigint[]): bigint[] {
  for (let i = read.length; i < cells; i++) {
    const value = model[i]!
    if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) throw notWhole()
    read.push(BigInt(value))
  }
  return read
}

function wholes(values: ArrayLike<number>, length: number, most: number): Float64Array {
  if (values.length !== length || !(length <= most)) throw wrong('there must be one number for each candidate')
  const read = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    const value = values[i]!
    if (!Number.isSafeInteger(value)) throw notWhole()
    read[i] = value
  }
  return read
}

const notWhole = () => wrong('these must be whole numbers below 2^53')
