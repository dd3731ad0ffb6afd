import {
  add,
  compare,
  divide,
  floor,
  fromNumber,
  multiply,
  type Rational,
  rational,
  subtract,
  toNumber,
  zero,
} from '../../numeric/index.ts'
import type { Grid } from '../../query/index.ts'
import { problem } from '../../schema/index.ts'
import type { SettledRequest } from './settled-request.ts'

/** The range of scales, in steps, in which noise can be lowered along a grid; and more levels than any use needs. */
const [leastScale, greatestScale, mostLevels] = [rational(1, 500), rational(2n ** 36n), 10_000_000]

type Priced = Pick<SettledRequest, 'unitNoises' | 'price'>

/**
 * The scales λmax, λmax - λΔ, … down to the lowest that ε could ever pay for: one marginal by itself, all others at
 * λmax. For a request that can start from there.
 */
export function gridFrom(
  start: Rational,
  { unitNoises, price, records, stepShare }: Priced & Pick<SettledRequest, 'records' | 'stepShare'>,
): Grid {
  if (compare(start, leastScale) < 0) throw outside(start)
  const exact = fromNumber(records!)
  const step = stepShare ? multiply(exact, stepShare) : usualStep(exact, { unitNoises, price })
  const first = least(start, greatestScale)
  const left = subtract(price, divide(unitNoises.reduce(add, zero), first))
  const alone = unitNoises.map((unit) => divide(unit, add(left, divide(unit, first)))).reduce(least)
  const lowest = compare(alone, leastScale) < 0 ? leastScale : alone
  const levels = floor(divide(subtract(first, lowest), step)) + 1n
  if (levels > BigInt(mostLevels)) throw tooFine(levels)
  return { first, step, count: Number(levels) }
}

/** This many levels in all take seconds, and a step this small, relative to a scale, makes no difference. */
const [manyLevels, unnoticed] = [5_000_000, rational(1, 200)]

/**
 * The default λΔ: a millionth of n as in the paper, so 10^5 levels from n/10 down. For more than fifty marginals
 * a whole multiple of it, so that there are about 5·10^6 levels in all; but no more than a 200th of the scale at which
 * equal shares of ε would end.
 */
export function usualStep(records: Rational, { unitNoises, price }: Priced): Rational {
  const finest = multiply(records, rational(1, 1_000_000))
  const equal = divide(unitNoises.reduce(add, zero), price)
  const wanted = Math.ceil((unitNoises.length * 100_000) / manyLevels)
  const most = Number(floor(divide(multiply(equal, unnoticed), finest)))
  return multiply(finest, rational(Math.max(1, Math.min(wanted, most))))
}

const least = (a: Rational, b: Rational): Rational => (compare(b, a) < 0 ? b : a)

const outside = (start: Rational) => {
  const scale = toNumber(start)
  return invalid({ scale }, `a noise scale of ${scale} is too small to start with`, 'Start with at least 1/500.')
}
const tooFine = (levels: bigint) => {
  const facts = { levels: Number(levels), most: mostLevels }
  return invalid(facts, `lowering the noise would take ${levels} steps, more than ${mostLevels}`, 'Take longer steps.')
}
const invalid = (facts: Record<string, number>, message: string, hint: string) =>
  problem('scale-invalid', message, hint, facts)
