import {
  ceil,
  compare,
  divide,
  fromNumber,
  multiply,
  one,
  type Rational,
  rational,
  subtract,
  toNumber,
} from '../../../numeric/index.ts'
import { ReticentError } from '../../../schema/index.ts'
import type { SettledRequest } from '../settled-request.ts'
import { costAt } from '../share.ts'

/** λmax, the scale that all marginals start from: a tenth of the number of records. Refuses where not even that is paid for. */
export function startScale(request: SettledRequest): Rational {
  const start = multiply(fromNumber(request.records!), request.startShare ?? rational(1, 10))
  const needed = costAt(start, request.unitNoises)
  if (compare(needed, request.price) > 0) throw cannotStart(request, start, needed)
  return start
}

/** There iReduct returns nothing (Figure 4, line 3). */
function cannotStart(request: SettledRequest, start: Rational, needed: Rational): ReticentError {
  const { price: epsilon, marginals, records, recordsScale, recordsShare } = request
  // What is to be given has a share for the number of records again.
  const least = upToFourDigits(toWhole(needed, recordsShare))
  const facts = { needed: toNumber(needed), given: toNumber(epsilon), least, scale: toNumber(start) }
  const [short, given, scale] = [facts.needed, facts.given, facts.scale].map((value) => Number(value.toPrecision(4)))
  const beside = recordsShare.num > 0n ? ' beside the share for the number of records' : ''
  return new ReticentError('scale-invalid', facts, {
    message:
      `even with the largest starting noise, of scale ${scale}, ${marginals.length} marginals cost ` +
      `ε = ${short}, and there is ${given}${beside}`,
    ...(recordsScale && {
      detail:
        `The number of records, which determines that scale, was bought first, and is now in the history: ` +
        `${records} was used, and its noise has scale ${Number(recordsScale.toPrecision(4))}.`,
    }),
    hint: isHolding(request, least)
      ? `Spend at least ${least}, ask for fewer marginals, or use the method laplace.`
      : 'That number is mostly noise: spend more ε, or more of it on the number of records (--count-share 0.2), or use the method laplace.',
  })
}

/**
 * Whether the same number of records will be used again: it was not bought just now, or has little noise, or is
 * about as good as the one that would be bought then.
 */
const isHolding = ({ records, recordsScale, recordsShare, price }: SettledRequest, least: number): boolean =>
  recordsScale === undefined || records! >= 30 * recordsScale || least <= 2 * toNumber(toWhole(price, recordsShare))

const toWhole = (part: Rational, shareOfOthers: Rational) => divide(part, subtract(one, shareOfOthers))
const upToFourDigits = (value: Rational): number => Number(ceil(multiply(value, rational(10_000)))) / 10_000
