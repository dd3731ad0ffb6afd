import { ceil, compare, divide, multiply, one, rational, subtract, toNumber } from '../../../numeric/index.ts'
import { ReticentError } from '../../../schema/index.ts'
import { costAt, type Job } from '../job.ts'

/**
 * Refuses a job that cannot even begin: with all scales at λmax it costs more than ε. (There iReduct returns nothing,
 * Figure 4, line 3.)
 */
export function refuseStart(job: Job): void {
  const { start, unitScales, epsilon, marginals, records, recordsScale, recordsShare } = job
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
    ...(recordsScale && {
      detail:
        `The number of records, from which that scale follows, was bought first, and is in the history now: ` +
        `${records} was reckoned with, and its noise has scale ${Number(recordsScale.toPrecision(4))}.`,
    }),
    hint: isHolding(job, least)
      ? `Give at least ${least}, ask for fewer marginals, or take the method laplace.`
      : 'That number is mostly noise: give more ε, more of it for the number of records (--count-share 0.2), or take the method laplace.',
  })
}

/**
 * Whether the same number of records will be reckoned with again: it was not bought just now, or has little noise, or is
 * about as good as the one that would be bought then.
 */
const isHolding = ({ records, recordsScale, recordsShare, epsilon }: Job, least: number): boolean =>
  recordsScale === undefined || records! >= 30 * recordsScale || least <= 2 * toNumber(toWhole(epsilon, recordsShare))

const toWhole = (part: Job['epsilon'], shareOfOthers: Job['epsilon']) => divide(part, subtract(one, shareOfOthers))
const upToFourDigits = (value: Job['epsilon']): number => Number(ceil(multiply(value, rational(10_000)))) / 10_000
