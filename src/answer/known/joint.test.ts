import { expect, test } from 'vitest'
import { rational } from '../../numeric/index.ts'
import { countAll, type LinearQuery, type NoiseLaw } from '../../query/index.ts'
import type { Session } from '../session.ts'
import { jointFromHistory } from './joint.ts'
import type { Known } from './known.ts'
import { knownAlone } from './known-part.ts'
import { boundAt } from './sectors.ts'

const laplace = (scale: number): NoiseLaw => ({ kind: 'laplace', scale: rational(scale) })
const female: LinearQuery = {
  ...countAll,
  terms: [{ coefficient: 1, factors: { sex: { kind: 'interval', from: 0, to: 0 } } }],
}

/** Both parts have an answer of their own, with noise of scale 20; sums of them are told otherwise, with little noise. */
function boundWhere(sumIs: (exact: number) => number) {
  const two = (known: Known): Known => ({
    ...known,
    made: { ...known.made, sources: [...known.made.sources, ...known.made.sources] },
  })
  const [a, b] = [countAll, female].map((query, i) =>
    two(knownAlone({ id: `${i}.0`, query, law: laplace(20), values: Float64Array.of(1000 - 400 * i) })[0]!),
  )
  const told = (query: LinearQuery): Known => {
    if (query === countAll) return a!
    if (query === female) return b!
    const times = (sex: boolean) =>
      query.terms
        .filter(({ factors }) => 'sex' in factors === sex)
        .reduce((sum, { coefficient }) => sum + coefficient, 0)
    const steps = times(false) * a!.estimate + times(true) * b!.estimate
    return two(knownAlone({ id: '9.0', query, law: laplace(1), values: Float64Array.of(Math.round(sumIs(steps))) })[0]!)
  }
  const knowledge = {
    isConsulted: () => true,
    isUniform: () => true,
    aboutGroup: told,
  } as unknown as Session['knowledge']
  return boundAt(jointFromHistory([countAll, female], knowledge)!([0, 1], 0.95)(0), { x: 1, y: -0.6 })
}

test('the law of a sum counts only where its parts are told by the same answers', () => {
  // The numerator and 0.6 times the denominator are each off by tens; only what is made of both has less noise.
  expect(boundWhere((exact) => exact)).toBeLessThan(10)
  expect(boundWhere((exact) => exact * 1.01 + 500)).toBeGreaterThan(60)
})
