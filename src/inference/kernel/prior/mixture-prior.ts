import type { TableModel } from '../../../model/index.ts'
import { tableShares } from '../../fitted/prior.ts'
import type { Steps } from '../../fitted/steps.ts'
import type { PastAnswers } from '../../history-model.ts'
import { validatedMixture } from '../../mixture/validated.ts'
import type { ChosenAlpha } from '../alpha.ts'
import { type Choose, KernelFits } from '../kernel-fits.ts'
import { someOf } from '../some-of.ts'
import type { PriorTables } from './prior.ts'

/** Answers that the two priors are compared by. */
const mostCompared = 2500

interface MixtureOptions {
  readonly records: number
  readonly random: () => number
  /** Of the kernel, where it is given. */
  readonly alpha?: number
}

/**
 * A mixture of products in place of one product, fitted to the history: what it tells of attributes that go together. It has seen the
 * answers that the kernel estimate then combines, so its worth, how complex it may be, and α are all judged by answers that it has not
 * seen. Undefined where these are told no better than by single attributes, or where there are too few.
 */
export function* mixturePrior(
  past: PastAnswers,
  tables: PriorTables,
  { records, random, alpha }: MixtureOptions,
): Steps<(ChosenAlpha & { readonly table: TableModel }) | undefined> {
  const shares = tableShares(past.universe, tables, records)
  const mixture = yield* validatedMixture(past, { records, shares, random })
  if (!mixture) return undefined
  let places: readonly number[] | undefined
  const judged = (expected?: TableModel): ChosenAlpha | undefined => {
    const choose: Choose = (all) => {
      places ??= someOf(all.length, mostCompared, random)
      return places.map((place) => all[place]!)
    }
    const fits = new KernelFits(past, tables, { choose, expected })
    return fits.heldOut(mixture.heldOut, random, alpha)
  }
  yield 'comparing priors'
  const [plain, mixed] = [judged(), judged(mixture.without)]
  if (!mixed || (plain && plain.loss <= mixed.loss)) return undefined
  yield 'learning correlations'
  return { ...mixed, table: mixture.fitted() }
}
