import { expect, test } from 'vitest'
import { seededBits } from '../../evaluation/index.ts'
import { countAll, type LinearQuery } from '../../query/index.ts'
import type { HistoryModel } from '../history-model.ts'
import { judgedBy } from './judged-model.ts'

/** A model that says these numbers and, as a judge, has these errors, of which two go together as said. */
const model = (estimates: readonly number[], errors?: readonly number[], together = 0): Required<HistoryModel> => ({
  kind: 'maxent',
  parameters: { steps: 3 },
  warnings: ['w'],
  estimates: () => estimates.map((estimate, i) => (errors ? { estimate, error: errors[i]! } : { estimate })),
  covariances: () => Float64Array.from(estimates, () => together),
})

test('an estimate is off by what the judge expects: its own error, and how far they are apart', () => {
  const judged = judgedBy(model([10, 20]), model([13, 20], [4, 7]))
  expect(judged.estimates(countAll)).toEqual([
    { estimate: 10, error: 5 },
    { estimate: 20, error: 7 },
  ])
  expect([judged.kind, judged.parameters, judged.warnings]).toEqual(['maxent', { steps: 3 }, ['w']])
  expect(judgedBy(model([10]), model([13])).estimates(countAll)).toEqual([{ estimate: 10 }])
})

test('errors and their products are the means over what the judge takes for possible', () => {
  // It believes in 100 + u and 50 + u + v, with u and v from -1 to 1: variances 1/3 and 2/3, which go together with 1/3.
  const { uniform } = seededBits(1)
  const other: LinearQuery = { ...countAll, terms: [] }
  const of = (first: number, second: number, errors?: readonly [number, number]): Required<HistoryModel> => ({
    ...model([first], errors && [errors[0]], 1 / 3),
    estimates: (query) => {
      const i = query === other ? 1 : 0
      const estimate = [first, second][i]!
      return [errors ? { estimate, error: errors[i]! } : { estimate }]
    },
  })
  const judged = judgedBy(of(103, 48), of(100, 50, [Math.sqrt(1 / 3), Math.sqrt(2 / 3)]))
  const sums = [0, 0, 0]
  const n = 200_000
  for (let i = 0; i < n; i++) {
    const [u, v] = [2 * uniform() - 1, 2 * uniform() - 1]
    const [a, b] = [103 - (100 + u), 48 - (50 + u + v)]
    for (const [k, product] of [a * a, b * b, a * b].entries()) sums[k]! += product / n
  }
  // Products spread by at most 6: 4.89 standard errors of the mean are below 0.07.
  expect(Math.abs(judged.estimates(countAll)[0]!.error! ** 2 - sums[0]!)).toBeLessThan(0.07)
  expect(Math.abs(judged.estimates(other)[0]!.error! ** 2 - sums[1]!)).toBeLessThan(0.07)
  expect(Math.abs(judged.covariances!(countAll, other)[0]! - sums[2]!)).toBeLessThan(0.07)
})
