import type { ModelAnswer } from '../../index.ts'
import { counted, number } from '../format.ts'

type Parameters = NonNullable<ModelAnswer['parameters']>

/** Above so many times what chance gives, the slope that is left says that weights would still move. */
const settled = 1.5

/** What a fit to released answers chose, and how near it is to the best one; undefined where nothing was fitted. */
export function fitText(parameters: { readonly [name: string]: unknown }): string | undefined {
  const { answers, alpha, records, solver, prior } = parameters as Parameters
  if (typeof answers !== 'number') return undefined
  // A mixture is fitted to whole tables, and has no α.
  const what = alpha === undefined ? 'answer' : 'noisy number'
  return [
    `fitted to ${counted(answers, what)}`,
    ...(solver === undefined ? [] : [`${solver} solver`]),
    ...(alpha === undefined ? [] : [`α ${short(alpha)}`]),
    ...(records === undefined ? [] : [`${number(Math.round(Number(records)))} records`]),
    ...(prior === undefined ? [] : [`prior: ${prior}`]),
    ...convergenceText(parameters as Parameters),
  ].join(' · ')
}

function convergenceText({ slope, chance, gap, steps, validatedError }: Parameters): string[] {
  if (validatedError !== undefined)
    return [`new questions: off by about ${short(validatedError)} deviations of the noise, by cross-validation`]
  if (slope !== undefined) {
    const isSettled = Number(slope) <= settled * Number(chance)
    const words = isSettled ? 'converged as far as the sample can tell' : 'weights have not settled'
    return [`${words}: slope ${short(slope)}, by chance ${short(chance)}`, `duality gap ${short(gap)}`]
  }
  return gap === undefined ? [] : [`duality gap ${short(gap)} after ${counted(Number(steps), 'step')}`]
}

/** Three digits, and no row of zeros. */
function short(value: number | string | undefined): string {
  const rounded = Number(Number(value).toPrecision(3))
  if (rounded === Infinity) return '∞'
  return rounded === 0 || Math.abs(rounded) >= 1e-3 ? number(rounded) : rounded.toExponential()
}
