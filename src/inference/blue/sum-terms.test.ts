import fc from 'fast-check'
import { expect, test } from 'vitest'
import { madeUp } from '../../../test/support/estimates.ts'
import { queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { seededBits } from '../../evaluation/index.ts'
import { rational } from '../../numeric/index.ts'
import { combine, type LinearQuery, marginal } from '../../query/index.ts'
import type { Universe } from '../../schema/index.ts'
import { varianceOfError } from '../error-law/law.ts'
import { termsOfSum } from './estimate.ts'
import { openHistory } from './open-history.ts'

const scenario = smallUniverse(3, [1, 2, 3, 4]).chain((u) => {
  const question = queryOver(u)
  const names = u.attributes.map((a) => a.name)
  return fc.record({
    u: fc.constant(u),
    questions: fc.tuple(question, question),
    others: fc.array(fc.oneof(question, queryOver(u, 'grouped'), fc.subarray(names).map(marginal)), { maxLength: 4 }),
    x: fc.integer({ min: -3, max: 3 }).filter((x) => x !== 0),
  })
})

test('the noises in a sum of two estimates are those in the estimate of the sum', () => {
  let sums = 0
  fc.assert(
    fc.property(scenario, ({ u, questions: [one, other], others, x }) => {
      const history = openHistory(u, { random: seededBits(3).uniform })
      for (const [i, query] of [one, other, ...others].entries()) history.append(madeUp(u, query, `${i}`, 3 + i))
      const [a, b] = [history.estimate(one), history.estimate(other)]
      const sum = history.estimate(
        combine([
          { query: one, times: rational(x) },
          { query: other, times: rational(2) },
        ]),
      )
      if (!a.estimable || !b.estimable || !sum.estimable) return
      const terms = termsOfSum([a, x], [b, 2])
      if (!terms) return
      sums++
      const size = x * x * a.variance + 4 * b.variance
      expect(Math.abs(varianceOfError(terms) - sum.variance)).toBeLessThanOrEqual(1e-9 * size)
    }),
  )
  expect(sums).toBeGreaterThan(80)
})

test('estimates of two moments have no such sum: a refined answer has some of the same noise', () => {
  const [u] = fc.sample(smallUniverse(3, [2]), { numRuns: 1, seed: 1 }) as [Universe]
  const query = marginal([u.attributes[0]!.name])
  const half: LinearQuery = {
    ...marginal([]),
    terms: [{ coefficient: 1, factors: { [u.attributes[0]!.name]: { kind: 'interval', from: 0, to: 0 } } }],
  }
  const history = openHistory(u, { random: seededBits(3).uniform })
  history.append(madeUp(u, query, 'a', 5))
  const before = history.estimate(half)
  history.append(madeUp(u, query, 'b', 4))
  const after = history.estimate(half)
  if (!before.estimable || !after.estimable) throw new Error('both are told')
  expect(termsOfSum([before, 1], [after, 1])).toBeUndefined()
  expect(termsOfSum([after, 1], [after, -1])!.every(({ coefficient }) => coefficient === 0)).toBe(true)
})
