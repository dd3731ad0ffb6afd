import type { Law } from '../../error-law/law.ts'
import type { ScalarAnswer } from '../noisy-answers.ts'
import { forEachWeight, type Member, type Part } from './part.ts'

/**
 * What noises of one law weigh in an estimate: equal weights, and how many numbers of each measurement have them. The
 * measurements have different noises.
 */
interface Noises {
  readonly ids: readonly string[]
  readonly law: Law
  readonly coefficients: number[]
  readonly counts: number[]
}

/** A part, so many times over. */
interface UsedPart {
  readonly part: Part
  readonly times: number
}

/** The noises in a sum of answers. */
export function noisesOf(answers: readonly { readonly answer: ScalarAnswer; readonly times: number }[]): Noises[] {
  const noises: Noises[] = []
  const used: UsedPart[] = []
  for (const { answer, times } of answers)
    if (answer.parts) for (const part of answer.parts) used.push({ part, times })
    else addNoise(noises, answer, times)
  for (const [{ members }, parts] of Map.groupBy(used, ({ part }) => part.block)) {
    const weights = parts.length === 1 ? productCounts(parts[0]!) : cellCounts(parts)
    weights.delete(0)
    const counts = [...weights.values()]
    for (const alike of Map.groupBy(members, lawText).values()) {
      const { law, share } = alike[0]!
      const coefficients = Array.from(weights.keys(), (weight) => share * weight)
      noises.push({ ids: alike.map(({ id }) => id), law, coefficients, counts })
    }
  }
  return noises
}

/** Numbers of one measurement come one after the other, and many of them weigh the same. */
function addNoise(noises: Noises[], { id, law }: ScalarAnswer, times: number): void {
  const last = noises.at(-1)
  if (last?.ids[0] !== id) {
    noises.push({ ids: [id], law, coefficients: [times], counts: [1] })
    return
  }
  const { coefficients, counts } = last
  const at = [coefficients.length - 1, coefficients.length - 2].find((i) => coefficients[i] === times)
  if (at !== undefined) counts[at]!++
  else {
    coefficients.push(times)
    counts.push(1)
  }
}

/** Measurements of one query and one law have the same share of it. */
const lawText = ({ law }: Member): string => `${law.kind} ${law.kind === 'gaussian' ? law.variance : law.scale}`

/** Without a look at every number: weights are products, and along an axis few are different. */
function productCounts({ part, times }: UsedPart): Map<number, number> {
  let counts = new Map([[times * part.times, 1]])
  for (const { weights, support } of part.axes) {
    const along = new Map<number, number>()
    for (const group of support) add(along, weights[group]!, 1)
    const next = new Map<number, number>()
    for (const [x, n] of counts) for (const [y, m] of along) add(next, x * y, n * m)
    counts = next
  }
  return counts
}

/** A number that is in several parts has one noise: its weights are added up. */
function cellCounts(parts: readonly UsedPart[]): Map<number, number> {
  const cells = new Map<number, number>()
  for (const { part, times } of parts) forEachWeight(part, (at, weight) => add(cells, at, times * weight))
  const counts = new Map<number, number>()
  for (const weight of cells.values()) add(counts, weight, 1)
  return counts
}

const add = (sums: Map<number, number>, key: number, value: number) => sums.set(key, (sums.get(key) ?? 0) + value)
