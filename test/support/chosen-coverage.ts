import { seededBits } from '../../src/evaluation/index.ts'
import { errorLawByCharacteristic, openHistory, sampler } from '../../src/inference/index.ts'
import { rational, toNumber } from '../../src/numeric/index.ts'
import {
  answerSize,
  type Factor,
  groupOf,
  type LinearQuery,
  marginal,
  type NoiseLaw,
  weightAt,
} from '../../src/query/index.ts'
import { universe } from '../../src/schema/index.ts'
import { integers } from './estimates.ts'
import { cellsOf } from './queries.ts'

const over = universe([integers('a', 12), integers('b', 6), integers('c', 4)])
const cells = [...cellsOf(over)]

/** So many intervals may miss, but for 5.2 standard deviations: one false alarm in 10^7. */
export const mostMissed = (told: number, confidence: number): number =>
  (1 - confidence) * told + 5.2 * Math.sqrt(told * confidence * (1 - confidence))

/** How often intervals of one confidence were told, and how often they missed. */
export interface ChosenCoverage {
  readonly confidence: number
  told: number
  missed: number
  /** And how often, were they 30% narrower. */
  missedIfNarrower: number
  /** Of those told: from more than one answer. */
  several: number
}

/**
 * Random tables of a random population, all by choice (nothing is combined as a whole), and a random question to each: how often is
 * the truth not in the interval? Noise is small, so that its steps are seen as well. The histories are the same for each confidence.
 */
export function chosenCoverage(histories: number, confidences: readonly number[], seed: number): ChosenCoverage[] {
  const { uniform } = seededBits(seed)
  const below = (n: number) => Math.floor(uniform() * n)
  const range = (size: number): Factor => {
    const [x, y] = [below(size), below(size)]
    return { kind: 'interval', from: Math.min(x, y), to: Math.max(x, y) }
  }
  const some = (share: number) => over.attributes.filter(() => uniform() < share)
  const counted = (share: number): LinearQuery['terms'] => [
    { coefficient: 1, factors: Object.fromEntries(some(share).map(({ name, size }) => [name, range(size)])) },
  ]
  const table = (): LinearQuery => {
    const by = some(0.4).map(({ name, size }) => {
      const cut = 1 + below(size - 1)
      const groups = [
        { kind: 'interval', from: 0, to: cut - 1 } as const,
        { kind: 'interval', from: cut, to: size - 1 } as const,
      ]
      return uniform() < 0.5 ? { attribute: name } : { attribute: name, groups }
    })
    return uniform() < 0.15
      ? marginal(by.map(({ attribute }) => attribute))
      : { ...marginal([]), by, terms: counted(0.3) }
  }
  const exact = (query: LinearQuery, data: readonly number[]): Float64Array => {
    const sums = new Float64Array(answerSize(query, over))
    const by = query.by.map((group) => {
      const at = over.index.get(group.attribute)!
      return { group, at, size: group.groups?.length ?? over.attributes[at]!.size }
    })
    cells.forEach((cell, k) => {
      const group = by.reduce((before, { group, at, size }) => before * size + groupOf(group, cell[at]!), 0)
      sums[group]! += weightAt(query, over, cell) * data[k]!
    })
    return sums
  }
  const seen = confidences.map((confidence) => ({ confidence, told: 0, missed: 0, missedIfNarrower: 0, several: 0 }))
  for (let i = 0; i < histories; i++) {
    const data = cells.map(() => below(20))
    const history = openHistory(over, { random: uniform, mostScalars: 0 })
    for (let k = 0; k < 8; k++) {
      const query = table()
      const law: NoiseLaw =
        uniform() < 0.5
          ? { kind: 'laplace', scale: rational(1 + below(8), 2) }
          : { kind: 'gaussian', variance: rational(1 + below(30)) }
      const noise = sampler(
        law.kind === 'laplace'
          ? { kind: 'laplace', scale: toNumber(law.scale) }
          : { kind: 'gaussian', variance: toNumber(law.variance) },
        uniform,
      )
      history.append({ id: `${k}.0`, query, law, values: exact(query, data).map((value) => value + noise()) })
    }
    const question: LinearQuery = { ...marginal([]), terms: counted(0.5) }
    const found = history.estimate(question)
    if (!found.estimable || found.variance === 0) continue
    const { coefficients, rounding, sources } = found
    const law = errorLawByCharacteristic(coefficients, { rounding: rounding.estimate })
    const error = Math.abs(found.estimate - exact(question, data)[0]!)
    for (const each of seen) {
      const half = law.halfWidth(each.confidence)
      each.told++
      if (sources.length > 1) each.several++
      if (error > half) each.missed++
      if (error > 0.7 * half) each.missedIfNarrower++
    }
  }
  return seen
}
