import { ceil, compare, divide, multiply, one, rational, subtract, toNumber } from '../../../numeric/index.ts'
import { ReticentError } from '../../../schema/index.ts'
import { costAt, type Job } from '../job.ts'

/**
 * Refuses a job that cannot even begin: with all scales at λmax it costs more than ε. (There iReduct returns nothing,
 * Figure 4, line 3.)
 */
export function refuseStart({ start, unitScales, epsilon, marginals, recordsBought, recordsShare }: Job): void {
  const needed = costAt(start, unitScales)
  if (compare(needed, epsilon) <= 0) return
  // What is to be given has a share for the number of records again.
  const least = upToFourDigits(toWhole(needed, recordsShare))
  const facts = { needed: toNumber(needed), given: toNumber(epsilon), least, scale: toNumber(start) }
  const [short, given, scale] = [facts.needed, facts.given, facts.scale].map((value) => Number(value.toPrecision(4)))
  const beside = recordsShare.num > 0n ? ' beside the share for the number of records' : ''
  throw new ReticentError('scale-invalid', facts, {
    message:
      `even with noise of scale ${scale}, the most that is started with, ${marginals.length} marginals cost ` +
      `ε = ${short}, and there is ${given}${beside}`,
    ...(recordsBought && {
      detail: 'The number of records, from which that scale follows, was bought first, and is in the history now.',
    }),
    hint: `Give at least ${least}, ask for fewer marginals, or take the method laplace.`,
  })
}

const toWhole = (part: Job['epsilon'], shareOfOthers: Job['epsilon']) => divide(part, subtract(one, shareOfOthers))
const upToFourDigits = (value: Job['epsilon']): number => Number(ceil(multiply(value, rational(10_000)))) / 10_000
