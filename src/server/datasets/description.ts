import { decimalText, type Policy, promiseText } from '../../schema/index.ts'
import type { Grant } from '../access/access.ts'
import type { DatasetDescription } from '../api/index.ts'
import { attributeSummary } from './attribute.ts'
import { examplesFor } from './examples.ts'

type Rational = Parameters<typeof decimalText>[0]
const plain = (value: Rational): number => Number(decimalText(value))

/** Who asks, as answers about a data set say it. */
export const roleIn = ({ role, name }: Grant, { privacy }: Policy) => ({
  role,
  ...(role === 'analyst' && privacy.analysts && name !== null && { analyst: name }),
})

/** What may be asked about, and what is promised: from the policy alone. */
export function describe(policy: Policy, grant: Grant): DatasetDescription {
  const { dataset, universe, privacy, guards } = policy
  return {
    name: dataset,
    ...roleIn(grant, policy),
    attributes: universe.attributes.map(attributeSummary),
    cells: Number(universe.size),
    promise: {
      text: promiseText(policy),
      bet: betText(plain(privacy.epsilon)),
      ...termsOf(policy),
      composition: privacy.composition,
    },
    guards: guards.map(({ query, within, confidence }) => ({
      query,
      within: plain(within),
      confidence: plain(confidence),
    })),
    analysts: analystsFor(policy, grant),
    examples: examplesFor(policy),
  }
}

/** What is promised, in numbers. */
export const termsOf = ({ privacy: { epsilon, delta, unit, neighbours } }: Policy) => ({
  epsilon: plain(epsilon),
  delta: plain(delta),
  unit,
  neighbours,
})

function analystsFor({ privacy: { analysts } }: Policy, { role, name }: Grant): DatasetDescription['analysts'] {
  if (!analysts) return null
  const all = [...analysts].map(([analyst, cap]) => ({ name: analyst, cap: plain(cap) }))
  return role === 'analyst' ? all.filter((analyst) => analyst.name === name) : all
}

/** e^ε/(1 + e^ε): how sure somebody can become who was as unsure as can be. */
function betText(epsilon: number): string {
  const sure = Math.min(99.9, Math.round(1000 / (1 + Math.exp(-epsilon))) / 10)
  return `Somebody who would bet even odds on any fact about you could become at most ${sure}% sure by reading every answer.`
}
