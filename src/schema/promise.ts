import { toNumber } from '../numeric/index.ts'
import type { Guard, Policy } from './policy.ts'

/** What a policy promises, in plain words. */
export function promiseText({ dataset, privacy, universe, guards }: Policy): string {
  const { unit, neighbours, epsilon, delta, analysts } = privacy
  const who = unit.kind === 'row' ? 'one row' : `one person (column ${unit.column}), with at most ${unit.rows} rows,`
  const change =
    neighbours === 'add-remove'
      ? `whether ${who} is in ${dataset} or not`
      : `what ${who} of ${dataset} says (the number of rows is public)`
  const chance = delta.num > 0n ? `, except for events of probability δ = ${toNumber(delta)}` : ''
  const factor = Math.exp(toNumber(epsilon))
  const quotas = analysts
    ? ` Quotas: ${[...analysts].map(([name, cap]) => `${name} ${inWords(toNumber(cap))}`).join(', ')}.`
    : ''
  const guarded = guards.length > 0 ? `\n${guards.map(guardText).join('\n')}` : ''
  return `All answers together hide ${change}: nothing that anybody can observe becomes more than ${Number.isFinite(factor) ? inWords(Number(factor.toPrecision(3))) : 'e^ε'} times more or less likely because of it (ε = ${inWords(toNumber(epsilon))})${chance}.
${universe.attributes.length === 1 ? 'One attribute' : `${universe.attributes.length} attributes`} can be asked about, ${universe.size.toLocaleString('en-US')} cells in all.${quotas}${guarded}`
}

const guardText = ({ query, within, confidence }: Guard): string =>
  `Guarded: nothing is sold that would reveal "${query}" within ±${inWords(toNumber(within))} with more than ${inWords(100 * toNumber(confidence))}% confidence.`

const inWords = (value: number): string =>
  Math.abs(value) >= 1e21
    ? String(value)
    : value.toLocaleString('en-US', { maximumFractionDigits: value >= 1000 ? 2 : 6 })
