import { averagedMixture, MixtureModel, type TableModel, watchMixture } from '../../../model/index.ts'
import { attributesOf, type Measurement, noiseDeviation } from '../../../query/index.ts'
import { tableShares } from '../../fitted/prior.ts'
import type { PastAnswers } from '../../history-model.ts'
import { mixtureProblem } from '../../mixture/problem.ts'
import type { ChosenAlpha } from '../alpha.ts'
import { KernelFits } from '../kernel-fits.ts'
import { shuffled, someOf } from '../some-of.ts'
import type { PriorTables } from './prior.ts'

/** Fewer answers about several attributes at once do not say how these go together. */
const leastJoint = 200
/** One in so many of them is held out. */
const parts = 5
/** Answers that the two priors are compared by. */
const mostCompared = 2500
/** Mixtures that are averaged, for the comparison and in the end. */
const [fewMembers, members] = [2, 4]
/** Looks in a row at a fit that gets no better, until it is left. */
const patience = 10

interface MixtureOptions {
  readonly records: number
  readonly random: () => number
  /** Of the kernel, where it is given. */
  readonly alpha?: number
}

/**
 * A mixture of products in place of one product, fitted to the history: what it tells of attributes that go together. It has seen the
 * answers that the kernel estimate then combines, so its worth, when to stop fitting, and α are all judged by answers that it has not
 * seen. Undefined where these are told no better than by single attributes, or where there are too few.
 */
export function mixturePrior(
  past: PastAnswers,
  tables: PriorTables,
  { records, random, alpha }: MixtureOptions,
): (ChosenAlpha & { readonly table: TableModel }) | undefined {
  const { universe, measurements } = past
  const joint = measurements.filter(({ query }) => attributesOf(query, universe).length > 1)
  if (joint.length < leastJoint) return undefined
  const heldOut = shuffled(joint.length, random)
    .filter((_, i) => i % parts === 0)
    .map((place) => joint[place]!)
  const ids = new Set(heldOut.map(({ id }) => id))
  const shares = tableShares(universe, tables, records)
  const problemOf = (some: readonly Measurement[]) => mixtureProblem(universe, some, records, shares, true)
  const seen = problemOf(measurements.filter(({ id }) => !ids.has(id)))
  if (seen.marginals.length < leastJoint) return undefined
  const misfit = tellingMisfit(seen, (mixture) => lossOf(new MixtureModel(universe, records, mixture), heldOut), random)
  const tableOf = (problem: typeof seen, count: number): TableModel =>
    new MixtureModel(universe, records, averagedMixture(problem, { random, members: count, misfit }))
  let places: readonly number[] | undefined
  const judged = (expected?: TableModel): ChosenAlpha | undefined => {
    const fits = new KernelFits(
      past,
      tables,
      (all) => {
        places ??= someOf(all.length, mostCompared, random)
        return places.map((place) => all[place]!)
      },
      expected,
    )
    return fits.heldOut(ids, random, alpha)
  }
  const [plain, mixed] = [judged(), judged(tableOf(seen, fewMembers))]
  if (!mixed || (plain && plain.loss <= mixed.loss)) return undefined
  return { ...mixed, table: tableOf(problemOf(measurements), members) }
}

/** χ² as a share of the fitted numbers, at which a mixture tells those best that it is not fitted to. */
function tellingMisfit(
  problem: Parameters<typeof watchMixture>[0],
  lossOf: (mixture: ReturnType<typeof averagedMixture>) => number,
  random: () => number,
): number {
  let best = { loss: Number.POSITIVE_INFINITY, misfit: 1 }
  let worse = 0
  watchMixture(problem, random, (mixture, misfit) => {
    const loss = lossOf(mixture())
    worse = loss < best.loss ? 0 : worse + 1
    if (worse === 0) best = { loss, misfit }
    return worse >= patience
  })
  return best.misfit
}

/** The mean distance of noisy numbers from a table's, in deviations of their noise. */
function lossOf(table: TableModel, measurements: readonly Measurement[]): number {
  let [sum, count] = [0, 0]
  for (const { query, law, values } of measurements) {
    const deviation = Math.max(1e-6, noiseDeviation(law))
    for (const [i, answer] of table.answers(query).entries()) {
      sum += Math.abs(answer - Number(values[i])) / deviation
      count++
    }
  }
  return sum / count
}
