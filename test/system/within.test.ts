import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Dataset, open, Refusal } from '../../src/index.ts'
import { people, policyText, Workspace } from './workspace.ts'

const count = 'SELECT COUNT(*) FROM people'
const rows = people.split('\n').length - 1
let data: Dataset
const opened = async (policy = policyText) =>
  open(new Workspace({ 'reticent.yaml': policy }).withLedger().path('reticent.yaml'))
beforeEach(async () => {
  data = await opened()
})
afterEach(() => data.close())

test('a question is bought once: asked again, the history answers it', async () => {
  const first = await data.ask(count, { within: 30 })
  expect(first).toMatchObject({ kind: 'fresh', within: 30 })
  const again = await data.ask(count, { within: 30 })
  expect(again).toMatchObject({
    kind: 'free',
    cost: { epsilon: 0 },
    estimate: (first as { estimate: number }).estimate,
  })
  expect((await data.budget()).spent).toEqual(first.spent)
})

test('more precision costs the difference', async () => {
  const first = await data.ask(count, { within: 30 })
  const { cost: alone } = await (await opened()).plan(count, { within: 15 })
  const sharper = await data.ask(count, { within: 15 })
  expect(sharper).toMatchObject({ kind: 'refined', within: 15 })
  expect(sharper.cost.epsilon).toBeCloseTo(alone.epsilon - first.cost.epsilon, 11)
  expect(sharper.spent.epsilon).toBeCloseTo(alone.epsilon, 11)
})

test('a table answers what can be added up from it', async () => {
  await data.ask('SELECT sex, COUNT(*) FROM people GROUP BY sex', { within: 20 })
  const total = await data.ask(count, { within: 40 })
  expect(total.kind).toBe('free')
  const half = await data.ask('SELECT COUNT(*) / 2.0 FROM people', { within: 20 })
  expect(half.kind).toBe('free')
  const men = await data.ask(`${count} WHERE sex = 'Male'`, { free: true })
  // The noise of a table within ±20 is beyond ±150 with probability 10^-9.
  expect(Math.abs((men as { estimate: number }).estimate - (rows * 2) / 3)).toBeLessThan(150)
})

test('what the history nearly tells is completed, for less than a fresh answer', async () => {
  await data.ask('SELECT sex, COUNT(*) FROM people GROUP BY sex', { within: 20 })
  const plan = await data.plan(count, { within: 15 })
  const { cost: alone } = await (await opened()).plan(count, { within: 15 })
  expect(plan.kind).toBe('combined')
  expect(plan.cost.epsilon).toBeLessThan(alone.epsilon)
  const answer = await data.ask(count, { within: 15 })
  expect(answer).toMatchObject({ kind: 'combined', cost: plan.cost })
  expect((answer as { within: number }).within).toBeLessThanOrEqual(15)
})

test('a refusal hands over the best free answer and says what can be had', async () => {
  await data.ask(count, { within: 30 })
  const refused = await data.ask(count, { within: 1 }).catch((error) => error)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({ code: 'budget-exceeded', free: { kind: 'free', within: 30 } })
  expect(refused.hint).toMatch(/within ±\d+.*free answer is within ±30/)
  // That is the best that can be had: what is left refines the answer of before.
  const promised = Number(/buys this within ±(\d+)/.exec(refused.hint)![1])
  expect((await data.plan(count, { within: promised })).affordable).toBe(true)
  expect((await data.plan(count, { within: 0.9 * promised })).affordable).toBe(false)
})

test('with δ the same questions are answered with Gaussian noise', async () => {
  const gaussian = await opened(policyText.replace('epsilon: 1.0', 'epsilon: 1.0\n  delta: 1e-6'))
  const first = await gaussian.ask(count, { within: 30 })
  expect(first).toMatchObject({ kind: 'fresh', within: 30, cost: { delta: 1e-6 } })
  expect(await gaussian.ask(count, { within: 30 })).toMatchObject({ kind: 'free' })
  const sharper = await gaussian.ask(count, { within: 15 })
  expect(sharper.kind).toBe('combined')
  expect((sharper as { within: number }).within).toBeLessThanOrEqual(15)
  await gaussian.close()
})

test('wrong requirements are refused, and nothing is spent', async () => {
  const wrong: [object, string][] = [
    [{}, 'how precise'],
    [{ within: 0 }, 'above 0'],
    [{ within: -3 }, 'above 0'],
    [{ within: Number.NaN }, 'above 0'],
    [{ within: 'wide' }, 'above 0'],
    [{ within: 30, epsilon: 0.1 }, 'only one'],
    [{ within: 30, confidence: 1 }, 'between 0 and 1'],
    [{ relative: 0.1 }, 'needs a floor'],
    [{ within: 30, floor: 10 }, 'a floor works with'],
    [{ epsilon: 0.1, floor: 10 }, 'goes with relative or within'],
    [{ relative: 0.1, floor: -1 }, 'above 0'],
    [{ epsilon: 0.1, maxEpsilon: 0.2 }, 'goes with within'],
    [{ probability: '1000' }, 'probability of'],
  ]
  for (const [options, word] of wrong) await expect(data.ask(count, options)).rejects.toThrow(word)
  await expect(data.ask(count, { probability: '> 1000' })).rejects.toMatchObject({ code: 'not-estimable' })
  await expect(data.ask(count, { free: true })).rejects.toMatchObject({ code: 'not-estimable' })
  await expect(data.ask('SELECT STDDEV(age) FROM people', { within: 1 })).rejects.toMatchObject({
    code: 'not-supported',
  })
  expect((await data.budget()).spent.epsilon).toBe(0)
})

test('what may cost too little for a precision is as precise as it can be, and says so', async () => {
  const answer = await data.ask(count, { within: 3, maxEpsilon: 0.01 })
  expect(answer).toMatchObject({ kind: 'fresh', short: true, cost: { epsilon: 0.01 } })
  expect((answer as { within: number }).within).toBeGreaterThan(3)
})

test('a plan for a relative precision gives the range of its price', async () => {
  const plan = await data.plan(count, { relative: 0.1, floor: 100 })
  expect(plan).toMatchObject({ kind: 'fresh', parts: [{ within: 100 }, { within: 10 }] })
  expect(plan.least!.epsilon).toBe(plan.parts[0]!.epsilon)
  expect(plan.cost.epsilon).toBeCloseTo(plan.parts[0]!.epsilon + plan.parts[1]!.epsilon, 11)
  const answer = await data.ask(count, { relative: 0.1, floor: 100 })
  expect(answer.cost.epsilon).toBeGreaterThanOrEqual(plan.least!.epsilon)
  expect(answer.cost.epsilon).toBeLessThanOrEqual(plan.cost.epsilon)
})

test('an average is asked for like anything else, and its plan gives the range of its price', async () => {
  const average = 'SELECT AVG(age) FROM people'
  const plan = await data.plan(average, { within: 20, maxEpsilon: 0.9 })
  expect(plan).toMatchObject({ kind: 'fresh', affordable: true, cost: { epsilon: 0.9 } })
  expect(plan.least!.epsilon).toBeLessThan(0.01)
  const answer = await data.ask(average, { within: 20, maxEpsilon: 0.9 })
  expect(answer.cost.epsilon).toBeGreaterThan(plan.least!.epsilon)
  expect(answer.cost.epsilon).toBeLessThanOrEqual(0.9)
  // In up to three of a hundred asks it comes out wider, and says so.
  const { within } = answer as { within: number }
  expect(answer.short === true).toBe(within > 20)
  const again = { within: Math.max(20, within) }
  expect(await data.plan(average, again)).toMatchObject({ kind: 'free', cost: { epsilon: 0 } })
  // It was bought step by step, and all steps together are what it said.
  expect((await data.history()).length).toBeGreaterThan(1)
  const improved = await data.improve()
  expect(improved).toMatchObject([{ statement: average, before: [{ name: 'avg' }], now: [{ name: 'avg' }] }])
  // What was told is not told wider.
  const { before, now } = improved[0]! as unknown as { before: [{ within: number }]; now: [{ within: number }] }
  expect(now[0].within).toBeLessThanOrEqual(before[0].within)
  const exact =
    people
      .split('\n')
      .slice(1)
      .map((row) => Number(row.split(',')[1]))
      .reduce((a, b) => a + b) / rows
  // The noise of an average within ±20 is beyond ±60 with probability 10^-6.
  expect(Math.abs((answer as { estimate: number }).estimate - exact)).toBeLessThan(60)
})
