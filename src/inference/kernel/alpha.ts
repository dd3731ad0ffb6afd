import { chooseAlpha } from './choose-alpha.ts'
import { CrossValidation, drawnFolds, type KernelHistory, roughRecords } from './cross-validation.ts'
import { covariance } from './feature.ts'
import { OwnError } from './own-error.ts'
import { someOf } from './some-of.ts'

/** Answers that α is chosen by: more of them hardly change it. */
const mostValidated = 1500
const folds = 5
/** With fewer answers there is nothing to validate with. */
const leastValidated = 10

/** An α, and what the answers say about it. */
export interface ChosenAlpha {
  readonly alpha: number
  /** The root mean squared error for a new question, in units of the noise. */
  readonly expected: number
  /** What was minimised: less is better, for the same answers. */
  readonly loss: number
}

/**
 * The α that serves old and new questions alike: least is the product of what a new answer, and an old one that is bought again, would be
 * off from its estimate by, noise included. The first is told by cross-validation, the second by Cp. Where new questions cannot be told
 * from old ones at any α, the first hardly changes, and the second keeps precise answers from being drowned by the prior.
 */
export function validatedAlpha(
  history: KernelHistory,
  random: () => number,
): Pick<ChosenAlpha, 'alpha'> & Partial<ChosenAlpha> {
  const records = roughRecords(history)
  const typical = { alpha: Math.max(leastAlpha(records), typicalAlpha(history, records)) }
  if (history.answers.length < leastValidated) return typical
  const part =
    history.answers.length > mostValidated
      ? partOf(history, someOf(history.answers.length, mostValidated, random))
      : history
  const fresh = new CrossValidation(part, drawnFolds(part.answers.length, folds, random))
  return leastLoss(fresh, new OwnError(part, random), records) ?? typical
}

/** The same, where the prior has seen all answers but these: only they can say how good it is; undefined without any. A given α is judged alike. */
export function heldOutAlpha(
  history: KernelHistory,
  heldOut: readonly number[],
  random: () => number,
  given?: number,
): ChosenAlpha | undefined {
  if (heldOut.length === 0) return undefined
  const fresh = new CrossValidation(history, [heldOut])
  return leastLoss(fresh, new OwnError(partOf(history, heldOut), random), roughRecords(history), given)
}

/** A table that is drawn from the prior has this α; beyond 10·n nothing is left of the prior. */
const leastAlpha = (records: number): number => Math.sqrt(Math.max(1, records))

function leastLoss(fresh: CrossValidation, own: OwnError, records: number, given?: number): ChosenAlpha | undefined {
  const loss = (alpha: number): number | undefined => {
    const errors = [own.error(alpha), fresh.error(alpha)]
    return errors.reduce<number | undefined>(
      (sum, e) => (sum === undefined || e === undefined ? undefined : sum + logOf(e)),
      0,
    )
  }
  const best = chooseAlpha(loss, given ?? leastAlpha(records), given ?? 10 * Math.max(1, records))
  if (!best) return undefined
  return {
    alpha: best.alpha,
    expected: Math.sqrt(Math.max(0, fresh.error(best.alpha)!)),
    loss: best.error,
  }
}

/** Of a mean square in units of the noise, with the noise: an estimate may be a little below 0. */
const logOf = (error: number): number => Math.log(1 + Math.max(0, error))

/** The answers at these places, which ascend. */
const partOf = (history: KernelHistory, places: readonly number[]): KernelHistory => ({
  ...history,
  answers: places.map((place) => history.answers[place]!),
  rows: places.map((place, i) => Float64Array.from(places.slice(0, i + 1), (other) => history.rows[place]![other]!)),
})

/** The α at which answers are as far from the prior's, on average, as they are. */
function typicalAlpha({ answers }: KernelHistory, records: number): number {
  let [excess, spread] = [0, 0]
  for (const { feature, value, deviation } of answers) {
    excess += ((value - records * feature.expected) / deviation) ** 2 - 1
    spread += covariance(feature, feature) / deviation ** 2
  }
  return spread > 0 ? Math.sqrt(Math.max(0, excess / spread)) : 0
}
