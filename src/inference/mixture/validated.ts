import { MixtureModel, type MixtureProblem, mixturePath, simplestMixture, type TableModel } from '../../model/index.ts'
import { sum } from '../../numeric/index.ts'
import { attributesOf, type Measurement, noiseDeviation } from '../../query/index.ts'
import type { Steps } from '../fitted/steps.ts'
import type { PastAnswers } from '../history-model.ts'
import { drawnFolds } from '../kernel/cross-validation.ts'
import { mixtureProblem } from './problem.ts'

/** Fewer answers about several attributes at once do not say how these go together. */
const leastJoint = 200
/** They are held out in so many parts, one part after the other, as long as no more numbers than this are fitted in all. */
const [parts, mostNumbers] = [5, 30_000]
/** Mixtures in a row that tell held-out answers no better than a simpler one did, until no lower charge is tried. */
const patience = 2
/** By so many deviations of their difference two losses may differ and count as equal. */
const mostDeviations = 0.5
/** Mixtures that are averaged in the end. */
const members = 2

/** Mixtures of products that are charged for complexity by as much as lets them tell held-out answers best. */
interface ValidatedMixture {
  /** Measurements that were held out, and a table that is fitted to all others. */
  readonly heldOut: ReadonlySet<string>
  readonly without: TableModel
  /** The table that is fitted to all. */
  fitted(): TableModel
}

/** `shares`: of the attributes' codes. Undefined where there are too few answers. */
export function* validatedMixture(
  { universe, measurements }: PastAnswers,
  { records, shares, random }: { records: number; shares: readonly Float64Array[]; random: () => number },
): Steps<ValidatedMixture | undefined> {
  const joint = measurements.filter(({ query }) => attributesOf(query, universe).length > 1)
  const problemOf = (some: readonly Measurement[]) => mixtureProblem(universe, some, records, shares, true)
  const whole = problemOf(measurements)
  if (Math.min(joint.length, whole.marginals.length) < leastJoint) return undefined
  const modelOf: ModelOf = (mixture) => new MixtureModel(universe, records, mixture)
  const folds = drawnFolds(joint.length, parts, random)
    .slice(0, foldsFor(whole))
    .map((places): Fold => {
      const heldOut = places.map((place) => joint[place]!)
      const ids = new Set(heldOut.map(({ id }) => id))
      return { heldOut, ids, problem: problemOf(measurements.filter(({ id }) => !ids.has(id))) }
    })
  const trials = yield* trialsOf(folds, modelOf, random)
  return {
    heldOut: folds[0]!.ids,
    without: best(trials).table,
    fitted: () => modelOf(simplestMixture(whole, { random, members, charge: chosenCharge(trials) })),
  }
}

type ModelOf = (mixture: ConstructorParameters<typeof MixtureModel>[2]) => TableModel

/** Answers that are held out, and what is left to fit. */
interface Fold {
  readonly heldOut: readonly Measurement[]
  readonly ids: ReadonlySet<string>
  readonly problem: MixtureProblem
}

/** One charge after the other, from high to low, all folds together. */
function* trialsOf(folds: readonly Fold[], modelOf: ModelOf, random: () => number): Steps<Trial[]> {
  const [first, ...others] = folds.map(({ problem }) => mixturePath(problem, random))
  const trials: Trial[] = []
  let worse = 0
  yield doing(1)
  for (const { charge, mixture, isProduct } of first!) {
    const tables = [mixture, ...others.map((path) => path.next().value!.mixture)].map(modelOf)
    const losses = tables.flatMap((table, fold) => lossesOf(table, folds[fold]!.heldOut))
    const trial = { charge, table: tables[0]!, losses, loss: mean(losses) }
    trials.push(trial)
    if (best(trials) === trial) worse = 0
    else if (!isProduct) worse++
    if (worse === patience) break
    yield doing(trials.length + 1)
  }
  return trials
}

const doing = (trial: number) => `learning correlations: trial ${trial}`

/** A charge, a table that the first part was held out of, and how far held-out answers are from such tables, each and on average. */
interface Trial {
  readonly charge: number
  readonly table: TableModel
  readonly losses: readonly number[]
  readonly loss: number
}

const best = (trials: readonly Trial[]): Trial =>
  trials.reduce((least, trial) => (trial.loss < least.loss ? trial : least))

/** Of charges that tell held-out answers equally well the highest, else the best: nobody can tell losses apart that differ by so little. */
function chosenCharge(trials: readonly Trial[]): number {
  const least = best(trials)
  const isAsGood = ({ losses, loss }: Trial) => {
    const differences = losses.map((one, i) => one - least.losses[i]!)
    const variance = mean(differences.map((one) => (one - loss + least.loss) ** 2)) / losses.length
    return loss - least.loss <= mostDeviations * Math.sqrt(variance)
  }
  const highest = trials.find(isAsGood)!
  return highest === least ? interpolatedCharge(trials) : highest.charge
}

/** Where a parabola through the least loss and its neighbours is lowest, on a logarithmic scale. */
function interpolatedCharge(trials: readonly Trial[]): number {
  const place = trials.indexOf(best(trials))
  const [above, here, below] = [trials[place - 1], trials[place]!, trials[place + 1]]
  if (!above || !below) return here.charge
  const [rise, bend] = [(above.loss - below.loss) / 2, above.loss + below.loss - 2 * here.loss]
  return bend > 0 ? here.charge * 2 ** -Math.max(-0.5, Math.min(0.5, rise / bend)) : here.charge
}

function foldsFor({ marginals }: MixtureProblem): number {
  const numbers = sum(marginals.map(({ axes, values }) => (axes.length > 1 ? values.length : 0)))
  return Math.max(1, Math.min(parts, Math.floor(mostNumbers / numbers)))
}

/** The distances of noisy numbers from a table's, in deviations of their noise. */
function lossesOf(table: TableModel, measurements: readonly Measurement[]): number[] {
  return measurements.flatMap(({ query, law, values }) => {
    const deviation = Math.max(1e-6, noiseDeviation(law))
    return Array.from(table.answers(query), (answer, i) => Math.abs(answer - Number(values[i])) / deviation)
  })
}

const mean = (values: readonly number[]): number => sum(values) / values.length
