import { type Rational, rational, type Spans, spansOf, spansSize } from '../../numeric/index.ts'
import type { Integers } from '../../query/index.ts'

/** A choice among a run's queries: a query is the more likely, the further its exact answers are from the model's. */
export interface SelectionRequest {
  /** Places among the run's queries, ascending; all of them unless given. */
  readonly candidates?: ArrayLike<number>
  /**
   * The model's answers to the candidates, one after the other, in whole steps. Any public numbers will do. Default:
   * those set by `tell`.
   */
  readonly model?: ArrayLike<number> | readonly bigint[]
  /** The weight of each distance: whole numbers above 0, 1 by default. */
  readonly weights?: ArrayLike<number>
  /** What is subtracted from each weighted distance: whole numbers, 0 by default. */
  readonly penalties?: ArrayLike<number>
  /** What the choice costs every record. */
  readonly epsilon: Rational
}

/** The answers of a public model to some of a run's queries. */
export interface ModelAnswers {
  /** Places among the run's queries, ascending; all of them unless given. */
  readonly queries?: ArrayLike<number>
  /** The answers, one after the other, in whole steps. */
  readonly answers: ArrayLike<number>
}

/**
 * A buffer that a run reuses for its copies: half a million candidates in each of many rounds would otherwise leave
 * gigabytes of garbage. Valid until the copies have been used.
 */
export interface Copies {
  readonly model: Float64Array
  readonly penalties: Float64Array
}

/** The same as a private copy. */
interface ReadSelection {
  readonly candidates: Spans
  /** Undefined for the one that the run was told. */
  readonly model: Integers | undefined
  readonly weights: Float64Array | undefined
  readonly penalties: Float64Array | undefined
  readonly epsilon: Rational
}

const wrong = (message: string) => new RangeError(message)

/**
 * A private copy: each number is read once and checked afterwards, so that exactly what is checked is used.
 * `starts` has the offset of each of the run's answers when all are concatenated, and the end of the last one.
 */
export function readSelection(given: SelectionRequest, starts: Float64Array, copies?: Copies): ReadSelection {
  const { candidates, model, weights, penalties, epsilon } = given
  const places = placesOf(candidates, starts.length - 1)
  const many = spansSize(places)
  const scaled = weights && wholes(weights, many)
  if (scaled?.some((weight) => weight < 1)) throw wrong('weights must be above 0')
  const read = {
    candidates: places,
    model: model && readModel(model, cellsOf(places, starts), copies?.model),
    weights: scaled,
    penalties: penalties && wholes(penalties, many, copies?.penalties),
    epsilon: rational(epsilon.num, epsilon.den),
  }
  if (read.epsilon.num <= 0n) throw wrong('a selection needs an ε above 0')
  return read
}

const cellsOf = (places: Spans, starts: Float64Array): number =>
  places.reduce((sum, [first, last]) => sum + starts[last + 1]! - starts[first]!, 0)

/** A private copy of a model's answers. */
export function readAnswers(given: ModelAnswers, starts: Float64Array, copies?: Copies): ReadAnswers {
  const { queries, answers } = given
  const places = placesOf(queries, starts.length - 1)
  return { places, answers: wholes(answers, cellsOf(places, starts), copies?.model) }
}

interface ReadAnswers {
  readonly places: Spans
  readonly answers: Float64Array
}

function placesOf(candidates: ArrayLike<number> | undefined, queries: number): Spans {
  if (!candidates) return [[0, queries - 1]]
  const { length } = candidates
  if (length === 0) throw wrong('a selection needs a candidate')
  const places = length <= queries ? spansOf(candidates, length) : undefined
  if (!places?.length || places.at(-1)![1] >= queries)
    throw wrong("candidates are indices of the run's queries, ascending")
  return places
}

/** As doubles, or as BigInts where one is of them. */
export function readModel(model: ArrayLike<number> | readonly bigint[], cells: number, copy?: Float64Array): Integers {
  if (model.length !== cells) throw wrong('a model has as many answers as there are cells')
  if (model instanceof Float64Array) return wholes(model, cells, copy)
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

function wholes(values: ArrayLike<number>, length: number, copy?: Float64Array): Float64Array {
  if (values.length !== length) throw wrong('there must be one number for each candidate')
  const read = values instanceof Float64Array ? doublesOf(values, length, copy) : copyOf(values, length)
  // A hostile object may have another length now.
  if (read.length !== length) throw notWhole()
  for (let i = 0; i < length; i++) if (!Number.isSafeInteger(read[i]!)) throw notWhole()
  return read
}

/** Nobody else is given the same place before this is used, so what is looked at here stays. */
function doublesOf(values: Float64Array, length: number, copy: Float64Array | undefined): Float64Array {
  if (!copy) return new Float64Array(values)
  const read = copy.subarray(0, length)
  read.set(values)
  return read
}

function copyOf(values: ArrayLike<number>, length: number): Float64Array {
  const read = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    const value = values[i]!
    // An object could convert to a different number later; a primitive number cannot.
    if (typeof value !== 'number') throw notWhole()
    read[i] = value
  }
  return read
}

const notWhole = () => wrong('these must be whole numbers below 2^53')
