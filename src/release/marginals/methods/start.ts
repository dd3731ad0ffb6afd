import { compare, toNumber } from '../../../numeric/index.ts'
import { ReticentError } from '../../../schema/index.ts'
import { costAt, type Job } from '../job.ts'

/**
 * Refuses a job that cannot even begin: with all scales at λmax it costs more than ε. (There iReduct returns nothing,
 * Figure 4, line 3.)
 */
export function refuseStart({ start, unitScales, epsilon, marginals, recordsBought }: Job): void {
  const needed = costAt(start, unitScales)
  if (compare(needed, epsilon) <= 0) return
  const facts = { needed: toNumber(needed), given: toNumber(epsilon), scale: toNumber(start) }
  const [short, given, scale] = [facts.needed, facts.given, facts.scale].map((value) => Number(value.toPrecision(4)))
  throw new ReticentError('scale-invalid', facts, {
    message:
      `even with noise of scale ${scale}, the most that is started with, ${marginals.length} marginals cost ` +
      `ε = ${short}, and there is ${given}`,
    ...(recordsBought && { detail: 'The number of records was bought first, and is in the history now.' }),
    hint: `Give at least ${Math.ceil(facts.needed * 1e4) / 1e4}, ask for fewer marginals, or take the method laplace.`,
  })
}
