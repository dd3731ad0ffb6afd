import type { Answer, Cost, PartReport } from '../../index.ts'
import { number, shortReceipt } from '../format.ts'

/** What it cost, part by part where there are several. */
export function costText(answer: Answer, withReceipt = true): string {
  const { kind, cost, spent, left, parts, receipt, notConsulted, disagreement, notes = [] } = answer
  const each = parts.length > 1 && kind !== 'free' ? [...partLines(parts)] : []
  return [
    `${kind} · cost ${price(cost, parts)} · spent ${number(spent.epsilon)} · left ${number(left.epsilon)}`,
    ...each,
    ...(notConsulted
      ? [
          'earlier answers were not used: this has too many groups to combine with them; a WHERE that leaves fewer would use them',
        ]
      : []),
    ...(disagreement === undefined ? [] : [disagreementText(disagreement)]),
    ...(isBeyond(answer) ? [beyondText] : []),
    ...notes,
    ...(withReceipt ? [shortReceipt(receipt)] : []),
  ].join('\n')
}

/** Whether a number lies outside its interval, which is clipped to the possible range. */
function isBeyond(answer: Answer): boolean {
  const columns = 'answers' in answer ? answer.answers : [answer]
  return columns.some((column) =>
    ('groups' in column ? column.groups : [column]).some(
      ({ estimate, interval: [low, high] }) =>
        estimate !== null && (estimate < (low ?? -Infinity) || estimate > (high ?? Infinity)),
    ),
  )
}
const beyondText = 'a number outside its interval is noise: it is left as drawn, since errors cancel in sums'

/** One line for each part, and one for all steps that count ranges of the same attribute. */
function* partLines(parts: readonly PartReport[]): Generator<string> {
  const steps = Map.groupBy(parts, ({ description }) => description.replace(/\d+ (?=groups of )/, ''))
  for (const [description, all] of steps) {
    if (all.length < fewSteps) for (const part of all) yield `  ${partPrice(part)} for ${part.description}`
    else yield `  ${partPrice(all.reduce(added))} for ${description}, in ${all.length} steps`
  }
}
/** Fewer are printed one by one. */
const fewSteps = 3
const added = (one: PartReport, other: PartReport): PartReport => ({
  ...one,
  epsilon: one.epsilon + other.epsilon,
  ...(one.rho !== undefined && other.rho !== undefined && { rho: one.rho + other.rho }),
})

/** For answers that disagree this improbably. */
const disagreementText = (chance: number): string =>
  `the answers behind this disagree more than noise explains: that happens ${chance < 1e-6 ? 'less than once in a million' : `once in ${number(Math.round(1 / chance))}`} times. Has the table changed?`

/** With δ, prices of parts add up in ρ: if there are several, the total is printed in both. */
const price = (cost: Cost, parts: readonly PartReport[]): string =>
  parts.length < 2 ? `ε ${number(cost.epsilon)}` : priceText(cost)

/** In both currencies, where there are two. */
export const priceText = ({ epsilon, rho }: Cost): string =>
  rho === undefined || rho === 0 ? `ε ${number(epsilon)}` : `ε ${number(epsilon)} (ρ ${small(rho)})`

const partPrice = ({ epsilon, rho }: PartReport): string =>
  rho === undefined ? `ε ${number(epsilon)}` : `ρ ${small(rho)}`

/** ρ is about ε², and often has only zeros among its first six digits. */
export const small = (value: number): string => (value === 0 ? '0' : String(Number(value.toPrecision(4))))
