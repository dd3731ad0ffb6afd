import type { SynthesisPlan, SynthFiles, SynthRelease, SynthStep, SynthSummary } from '../../index.ts'
import { counted, number, percent, table } from '../format.ts'

/** What a plan says: a row per purchase, then the whole. */
export function planText(plan: SynthesisPlan): Iterable<string> {
  const { method, records, steps, check, cost, raised, affordable, left } = plan
  const count = records.count === null ? 'an unknown number of records' : `${number(Math.round(records.count))} records`
  return [
    ...stepsText(steps),
    `${method} · ${count} (${fromWords[records.from]})`,
    ...(check ? [checkPlanText(check)] : []),
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
  return `check: mean total variation over ${pairsText(pairs, leftOut)}${noise}, for ε ${number(epsilon)} on top (in the cost below)`
}

const pairsText = (pairs: number, leftOut: number): string =>
  `${counted(pairs, 'pair')}${leftOut > 0 ? ` (${number(leftOut)} more are too large)` : ''}`

function stepsText(steps: readonly SynthStep[]): Iterable<string> {
  const rows = steps.map(({ name, count, share, deviation }) => [
    name,
    number(count),
    percent(short(share)),
    deviation ? [...new Set(deviation.map((each) => number(short(each))))].join(' … ') : '–',
  ])
  return table(['step', 'answers', 'of the budget', 'noise, sd'], rows, [false, true, true, true])
}

/** What a release says: a row per purchase, then how good it is. */
export function releaseText(release: SynthRelease, { expected, rows }: SynthSummary): Iterable<string> {
  const { method, records, steps, check, warnings, model } = release
  return [
    ...stepsText(steps),
    `${method} · ${number(Math.round(records.count))} records · ${counted(rows, 'row')} of ${counted(model.universe.attributes.length, 'column')}`,
    expected.variation === null
      ? 'no two attributes were measured together: nothing is known about how they go together'
      : `expected total variation of a pair of attributes, from noise and chance: about ${percent(short(expected.variation))}${expected.pairs.some(({ isCoarse }) => isCoarse) ? '; structure inside merged values comes on top' : ''}`,
    ...(check
      ? [
          `checked: ${percent(short(check.variation))} ± ${percent(short(1.96 * check.deviation))} from the private table (95%), mean over ${pairsText(check.pairs.length, check.leftOut)}`,
        ]
      : []),
    ...warnings.map((warning) => `warning: ${warning}`),
  ]
}

/** What a release cost, and where it is. */
export const costText = ({ cost, spent, left, receipt }: SynthRelease, { path, names }: SynthFiles): string =>
  [
    `cost ε ${number(cost.epsilon)} · spent ${number(spent.epsilon)} · left ${number(left.epsilon)}`,
    `receipt ${receipt}`,
    `${path}; ${names.report}, ${names.summary} and ${names.model} are beside it`,
  ].join('\n')

/** Three digits are enough here. */
const short = (value: number): number => (Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3)))
