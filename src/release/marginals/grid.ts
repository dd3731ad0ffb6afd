import { add, compare, divide, floor, type Rational, rational, subtract, toNumber, zero } from '../../numeric/index.ts'
import type { Grid } from '../../query/index.ts'
import { ReticentError } from '../../schema/index.ts'
import type { Job } from './job.ts'

/** Between these, in steps, noise can be lowered along a grid; and so many levels are more than any use has. */
const [leastScale, greatestScale, mostLevels] = [rational(1, 500), rational(2n ** 36n), 10_000_000]

/**
 * The scales λmax, λmax - λΔ, … down to the lowest that ε could ever pay for: one marginal by itself, all others at
 * λmax. For a job that can start.
 */
export function gridOf({
  start,
  step,
  unitScales,
  epsilon,
}: Pick<Job, 'start' | 'step' | 'unitScales' | 'epsilon'>): Grid {
  if (compare(start, leastScale) < 0) throw outside(start)
  const first = least(start, greatestScale)
  const left = subtract(epsilon, divide(unitScales.reduce(add, zero), first))
  const alone = unitScales.map((unit) => divide(unit, add(left, divide(unit, first)))).reduce(least)
  const lowest = compare(alone, leastScale) < 0 ? leastScale : alone
  const levels = floor(divide(subtract(first, lowest), step)) + 1n
  if (levels > BigInt(mostLevels)) throw tooFine(levels)
  return { first, step, count: Number(levels) }
}

const least = (a: Rational, b: Rational): Rational => (compare(b, a) < 0 ? b : a)

const outside = (start: Rational) =>
  new ReticentError(
    'scale-invalid',
    { scale: toNumber(start) },
    { message: `noise of scale ${toNumber(start)} is too little to start with`, hint: 'Start with at least 1/500.' },
  )
const tooFine = (levels: bigint) =>
  new ReticentError(
    'scale-invalid',
    { levels: Number(levels), most: mostLevels },
    { message: `noise would be lowered in ${levels} steps, more than ${mostLevels}`, hint: 'Take longer steps.' },
  )
