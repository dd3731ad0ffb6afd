import { expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { people, policyText, Workspace } from './workspace.ts'

const rows = people.split('\n').length - 1

test('after a tree, ranges are free', () => {
  const place = new Workspace().withLedger()
  const plan = place.run('release', 'tree', '--of', 'age', '--epsilon', '0.9', '--plan', '--json').json
  expect(plan).toMatchObject({
    of: ['age'],
    fanOut: 16,
    affordable: true,
    cost: { epsilon: 0.9 },
    left: { epsilon: 1 },
  })
  const levels = [1, 16, 74].map((groups) => ({ groups, epsilon: 0.3, scale: 10 / 3 }))
  expect(plan.levels).toEqual(levels)

  const released = place.run('release', 'tree', '--of', 'age', '--epsilon', '0.9', '--json').json
  expect(released).toMatchObject({
    cost: { epsilon: 0.9 },
    spent: { epsilon: 0.9 },
    levels,
    receipt: expect.any(String),
  })
  const sql = 'SELECT COUNT(*) FROM people WHERE age BETWEEN 20 AND 80'
  const answer = place.run('ask', sql, '--free', '--json').json
  expect(answer).toMatchObject({ kind: 'free', cost: { epsilon: 0 } })
  // By Chernoff's bound the error, of scale 10/3 and variance about 90, is beyond ±110 with probability 10^-9 at most.
  expect(answer.within).toBeLessThan(40)
  expect(Math.abs(answer.estimate - (rows * 9) / 10)).toBeLessThan(110) // ages go in sevens from 17 to 80
  expect(place.run('budget', '--json').json.spent.epsilon).toBe(0.9)
  expect(place.run('history').stdout).toContain('age')
})

test('a tree over pairs, and with δ', async () => {
  const policy = policyText.replace('epsilon: 1.0', 'epsilon: 1.0\n  delta: 1e-6')
  const data = await open(new Workspace({ 'reticent.yaml': policy }).withLedger().path('reticent.yaml'))
  const plan = await data.planTree({ of: ['age', 'sex'], epsilon: 0.5, fanOut: 8 })
  expect(plan.levels.map(({ groups }) => groups)).toEqual([1, 16, 128, 148])
  const { cost } = await data.releaseTree({ of: ['age', 'sex'], epsilon: 0.5, fanOut: 8 })
  expect(cost).toEqual(plan.cost)
  expect(cost.epsilon).toBeLessThanOrEqual(0.5)
  const men = await data.ask("SELECT COUNT(*) FROM people WHERE sex = 'Male' AND age < 50", { free: true })
  expect(men.kind).toBe('free')
  await data.close()
})

test('what is no tree costs nothing', async () => {
  const place = new Workspace().withLedger()
  expect(place.run('release', 'tree', '--of', 'age', '--epsilon', '0.3', '--fan-out', '1').status).toBe(2)
  const data = await open(place.path('reticent.yaml'))
  const wrong: [object, string][] = [
    [{ of: ['aeg'] }, 'unknown-name'],
    [{ fanOut: 1 }, 'usage'],
    [{ epsilon: 0 }, 'usage'],
    [{ epsilon: 1.5 }, 'budget-exceeded'],
    [{ as: 'alice' }, 'analyst-unknown'],
  ]
  for (const [options, code] of wrong)
    await expect(data.releaseTree({ of: ['age'], epsilon: 0.3, ...options })).rejects.toMatchObject({ code })
  expect((await data.budget()).spent.epsilon).toBe(0)
  await data.close()
})

test('all that is left buys a tree, also where its levels do not divide it', async () => {
  const data = await open(new Workspace().withLedger().path('reticent.yaml'))
  const { levels, cost } = await data.releaseTree({ of: ['age'], epsilon: 1 })
  expect(levels.map(({ epsilon }) => epsilon)).toEqual(Array(3).fill(0.333333333333))
  expect(cost.epsilon).toBe(0.999999999999)
  await data.close()
})
