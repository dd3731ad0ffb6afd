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

/**
 * Random tables of a random population, all by choice (nothing is combined as a whole), and a random question to each: how often is
 * the truth not in the interval? Noise is small, so that its steps are seen as well.
 */
export function chosenCoverage(histories: number, confidence: number, seed: number) {
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
    cells.forEach((cell, k) => {
      const group = query.by.reduce((at, g) => {
        const size = g.groups?.length ?? over.attributes[over.index.get(g.attribute)!]!.size
        return at * size + groupOf(g, cell[over.index.get(g.attribute)!]!)
      }, 0)
      sums[group]! += weightAt(query, over, cell) * data[k]!
    })
    return sums
  }
  const seen = { told: 0, missed: 0, missedIfNarrower: 0, several: 0 }
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
    const half = errorLawByCharacteristic(coefficients, { rounding: rounding.estimate }).halfWidth(confidence)
    const error = Math.abs(found.estimate - exact(question, data)[0]!)
    seen.told++
    if (sources.length > 1) seen.several++
    if (error > half) seen.missed++
    if (error > 0.7 * half) seen.missedIfNarrower++
  }
  return seen
}
