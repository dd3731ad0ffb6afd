import { describe, expect, test } from 'vitest'
import { some, someRows } from '../../../test/support/coded-people.ts'
import { logisticAccuracy, trainLogistic } from './logistic-regression.ts'

describe('logistic regression', () => {
  const model = trainLogistic(some, 2, [0, 1])
  const objective = (weights: Float64Array): number => {
    let sum = 0
    for (let i = 1; i < weights.length; i++) sum -= weights[i]! ** 2 / 2
    for (const [age, state, rich] of someRows) {
      const z = weights[0]! + weights[1 + age!]! + weights[8 + state!]!
      sum -= Math.log1p(Math.exp(rich === 1 ? -z : z))
    }
    return sum
  }

  test('ends where no weight can be moved for the better', () => {
    const best = objective(model.weights)
    for (const i of model.weights.keys())
      for (const by of [-0.01, 0.01])
        expect(objective(model.weights.map((weight, j) => (i === j ? weight + by : weight)))).toBeLessThan(best)
  })

  test('tells what the likelier class of every row is', () => {
    const right = someRows.filter(([age, state, rich]) => {
      const z = model.weights[0]! + model.weights[1 + age!]! + model.weights[8 + state!]!
      return (z > 0 ? 1 : 0) === rich
    }).length
    expect(logisticAccuracy(model, some, 2)).toBe(right / 400)
    // Ages from 4 on are rich more often than not; a table by age alone is right in 70% of the cases on average.
    expect(right / 400).toBeGreaterThan(0.6)
  })
})
