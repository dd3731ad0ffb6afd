import { add, compare, divide, one, type Rational, rational, subtract } from '../../../numeric/index.ts'
import type { Integers } from '../../../query/index.ts'
import type { Exact } from '../../exact/index.ts'
import { open } from '../../exact/open.ts'
import { type Bits, fastGeometric, geometricBig, isFast, nearScale, systemBits } from '../../random/index.ts'
import { difference, plain, sum } from '../sum.ts'

interface Refinement {
  /** The exact answer that `released` was made from: the same data, or the guarantee is void. */
  readonly exact: Exact<Integers>
  /** That answer with discrete Laplace noise of scale `from`, refined by nobody yet. */
  readonly released: Integers
  readonly from: Rational
  readonly to: Rational
}

/**
 * A sharper version of a released answer: discrete Laplace noise of scale `to` < `from`, drawn given the noise already
 * released.
 *
 * Guarantee: the pair (released, refined) has the law of (Y' + V, Y'), with V drawn without looking at the data. So
 * both together cost what the second alone costs, |q(t)|/to, of which |q(t)|/from is paid already; and only once: two
 * refinements of one answer do not. Throws RangeError unless 0 < to < from. Proof: docs/algorithms/refinement.md
 */
export function refine({ exact, released, from, to }: Refinement, bits: Bits = systemBits): Integers {
  if (to.num <= 0n || compare(to, from) >= 0)
    throw new RangeError('a refinement needs a scale above 0 and below the old one')
  const answers = open(exact)
  const noise = difference(released, answers)
  const laws = geometricLaws(from, to)
  const fast = noise instanceof Float64Array && Object.values(laws).every(isFast)
  const noisy = sum(answers, fast ? sharpen(noise, laws, bits) : sharpenBig(noise, laws, bits))
  return plain(noisy)
}

/** The three geometric laws that a refinement draws from, by their scales. With a = exp(-1/from), a' = exp(-1/to): */
interface Laws {
  /** ratio a'/a */
  readonly inward: Rational
  /** ratio a·a' */
  readonly outward: Rational
  /** ratio a² */
  readonly stay: Rational
}

function geometricLaws(from: Rational, to: Rational): Laws {
  const [old, fresh] = [divide(one, from), divide(one, to)]
  return {
    inward: divide(one, subtract(fresh, old)),
    outward: divide(one, add(fresh, old)),
    stay: divide(from, rational(2)),
  }
}

/**
 * The new noise given the old. Take the old noise as n ≥ 0 (else mirror). The new one is
 *   below 0, by 1 + outward, with probability Pr(inward < outward);
 *   else some inward draw, where that is at most n;
 *   else n again with probability Pr(stay ≤ inward), or n + 1 + outward.
 * Every number named is a fresh draw from its law, and their scales are rational: nothing irrational is ever compared.
 */
function sharpen(noise: Float64Array, { inward, outward, stay }: Laws, bits: Bits): Float64Array {
  const [nearInward, nearOutward, nearStay] = [nearScale(inward), nearScale(outward), nearScale(stay)]
  const draw = (n: number): number => {
    const crosses = fastGeometric(nearInward, inward, bits) < fastGeometric(nearOutward, outward, bits)
    if (crosses) return -1 - fastGeometric(nearOutward, outward, bits)
    const between = fastGeometric(nearInward, inward, bits)
    if (between <= n) return between
    const stays = fastGeometric(nearStay, stay, bits) <= fastGeometric(nearInward, inward, bits)
    return stays ? n : n + 1 + fastGeometric(nearOutward, outward, bits)
  }
  // A zero must not come out as -0.
  return noise.map((n) => (n < 0 ? 0 - draw(-n) : draw(n)))
}

/** The same in BigInts, for noise or scales that doubles do not hold. */
function sharpenBig(noise: Integers, { inward, outward, stay }: Laws, bits: Bits): bigint[] {
  const geometric = ({ num, den }: Rational) => geometricBig(num, den, bits)
  const draw = (n: bigint): bigint => {
    if (geometric(inward) < geometric(outward)) return -1n - geometric(outward)
    const between = geometric(inward)
    if (between <= n) return between
    return geometric(stay) <= geometric(inward) ? n : n + 1n + geometric(outward)
  }
  return Array.from<number | bigint, bigint>(noise, (entry) => {
    const n = BigInt(entry)
    return n < 0n ? -draw(-n) : draw(n)
  })
}
