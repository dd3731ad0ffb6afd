import type { SynthesisPlan, SynthFiles, SynthRelease, SynthStep, SynthSummary } from '../../index.ts'
import { extent } from '../../numeric/index.ts'
import { counted, number, percent, shortReceipt, table } from '../format.ts'
import { fitText } from './fit.ts'

/** What a plan says: a row per purchase, then the whole. */
export function planText(plan: SynthesisPlan): Iterable<string> {
  const { method, records, steps, check, cost, raised, affordable, left, warnings } = plan
  const count = records.count === null ? 'an unknown number of records' : `${number(Math.round(records.count))} records`
  return [
    ...stepsText(steps),
    `${method} · ${count} (${fromWords[records.from]})`,
    ...(check ? [checkPlanText(check)] : []),
    ...warnings.map((warning) => `warning: ${warning}`),
    `cost ε ${number(cost.epsilon)}, raises the total by ${number(raised.epsilon)}; the budget ${affordable ? 'allows' : 'does not allow'} it (left: ${number(left.epsilon)})`,
  ]
}

const fromWords: { readonly [F in SynthesisPlan['records']['from']]: string } = {
  public: 'public',
  history: 'known from earlier releases',
  bought: 'to be bought',
}

const checkPlanText = ({ epsilon, pairs, leftOut, deviation }: NonNullable<SynthesisPlan['check']>): string => {
  const noise = deviation === null ? '' : `, told within ±${percent(short(1.96 * deviation))}`
  return `check: mean total variation over ${pairsText(pairs, leftOut)}${noise}, for an additional ε ${number(epsilon)} (included in the cost below)`
}

const pairsText = (pairs: number, leftOut: number): string =>
  `${counted(pairs, 'pair')}${leftOut > 0 ? ` (${number(leftOut)} more are too large)` : ''}`

/** A table of so many steps is read; of more, the middle ones are put together. */
const [mostSteps, firstSteps, lastSteps] = [20, 8, 3]

function stepsText(steps: readonly SynthStep[]): Iterable<string> {
  if (steps.length === 0) return []
  const middle = steps.length > mostSteps ? [summedUp(steps.slice(firstSteps, -lastSteps))] : []
  const shown = middle.length > 0 ? [...steps.slice(0, firstSteps), ...middle, ...steps.slice(-lastSteps)] : steps
  const rows = shown.map(({ name, count, share, deviation }) => [
    name,
    number(count),
    percent(short(share)),
    deviation ? [...new Set(deviation.map((each) => number(short(each))))].join(' … ') : '–',
  ])
  return table(['step', 'answers', 'of the budget', 'noise, sd'], rows, [false, true, true, true])
}

/** As one step. */
function summedUp(steps: readonly SynthStep[]): SynthStep {
  const sum = (of: (step: SynthStep) => number) => steps.reduce((total, step) => total + of(step), 0)
  const deviations = steps.flatMap(({ deviation }) => deviation ?? [])
  return {
    name: `… ${number(steps.length)} more`,
    share: sum(({ share }) => share),
    count: sum(({ count }) => count),
    ...(deviations.length > 0 && { deviation: extent(deviations) }),
  }
}

/** What a release says: a row per purchase, then how good it is. */
export function releaseText(release: SynthRelease, { expected, rows }: SynthSummary): Iterable<string> {
  const { method, records, steps, check, warnings, model, parameters } = release
  const fit = fitText(parameters)
  return [
    ...stepsText(steps),
    `${method} · ${number(Math.round(records.count))} records · ${counted(rows, 'row')} of ${counted(model.universe.attributes.length, 'column')}`,
    ...(fit === undefined ? [] : [fit]),
    ...expectedText(expected),
    ...(check
      ? [
          `checked: ${percent(short(check.variation))} ± ${percent(short(1.96 * check.deviation))} from the private table (95%), mean over ${pairsText(check.pairs.length, check.leftOut)}`,
        ]
      : []),
    ...warnings.map((warning) => `warning: ${warning}`),
  ]
}

/** A table of one attribute has no pairs. */
function expectedText({ pairs, variation }: SynthSummary['expected']): string[] {
  if (pairs.length === 0) return []
  if (variation === null) return ['no table of two attributes was measured in full: the error of pairs is unknown']
  const hidden = pairs.some(({ isCoarse }) => isCoarse) ? '; what merged values hide is a guess' : ''
  const measured = pairs.filter((pair) => pair.variation !== undefined).length
  const others =
    measured === pairs.length
      ? []
      : [
          `this is for ${measured} of ${counted(pairs.length, 'pair')}, which were measured in full; the error of the others is unknown, and may be far larger`,
        ]
  return [
    `expected total variation of a pair of attributes, from noise and chance: about ${percent(short(variation))}${hidden}`,
    ...others,
  ]
}

/** What a release cost, and where it is. */
export const costText = ({ cost, spent, left, receipt }: SynthRelease, { path, names }: SynthFiles): string =>
  [
    `cost ε ${number(cost.epsilon)} · spent ${number(spent.epsilon)} · left ${number(left.epsilon)}`,
    shortReceipt(receipt),
    `${path}; ${names.report}, ${names.summary} and ${names.model} are beside it`,
  ].join('\n')

/** Three digits are enough here. */
const short = (value: number): number => (Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3)))
