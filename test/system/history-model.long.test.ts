import { describe, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { people, policyText, Workspace } from './workspace.ts'

const loose = { 'reticent.yaml': policyText.replace('epsilon: 1.0', 'epsilon: 20') }
const workspace = () => new Workspace(loose).withLedger()
const women = "SELECT COUNT(*) FROM people WHERE age >= 50 AND sex = 'Female'"
const buyTwo = (w: Workspace) => {
  expect(w.run('ask', 'SELECT sex, COUNT(*) FROM people GROUP BY sex', '--epsilon', '5').status).toBe(0)
  expect(w.run('ask', 'SELECT COUNT(*), SUM(age) FROM people WHERE age >= 50', '--epsilon', '5').status).toBe(0)
}

describe('ask --model kernel', () => {
  test('estimates what the history does not determine, at no cost and without an interval', async () => {
    const w = workspace()
    buyTwo(w)
    const refused = w.run('ask', women, '--free', '--json')
    expect(refused.json.error).toMatchObject({ code: 'not-estimable', hint: expect.stringContaining('--model kernel') })
    const before = w.run('budget', '--json').json.spent
    const { json, status } = w.run('ask', women, '--model', 'kernel', '--json')
    expect(status).toBe(0)
    expect(json).toMatchObject({ kind: 'model', model: 'kernel', cost: { epsilon: 0 } })
    expect(json).not.toHaveProperty('interval')
    expect(json.determined).toBe(false)
    expect((await w.here('ask', women, '--model', 'kernel')).stderr).toContain('do not determine this')
    const men = "SELECT COUNT(*) FROM people WHERE sex = 'Male'"
    expect((await w.here('ask', men, '--model', 'kernel', '--json')).json.determined).toBe(true)
    expect((await w.here('ask', men, '--model', 'kernel')).stderr).toContain('--free gives an answer with an interval')
    expect((await w.here('ask', men, '--free')).status).toBe(0)
    // A third of 300 are women and 47% are that old: 47 if one knows nothing else, as here. Noise of ±1 moves that little.
    expect(Math.abs(json.estimate - 47)).toBeLessThan(8)
    expect(json.error).toBeGreaterThan(0)
    expect((await w.here('ask', women, '--model', 'maxent')).stderr).toMatch(/fitted to 4 noisy numbers .* duality gap/)
    expect((await w.here('budget', '--json')).json.spent).toEqual(before)
  })

  test('takes groups and ratios', () => {
    const w = workspace()
    buyTwo(w)
    const { json } = w.run(
      'ask',
      'SELECT sex, AVG(age), COUNT(*) FROM people GROUP BY sex',
      '--model',
      'kernel',
      '--json',
    )
    const [average, count] = json.answers
    expect(average.groups.map((group: { key: unknown }) => group.key)).toEqual([{ sex: 'Female' }, { sex: 'Male' }])
    for (const { estimate, error } of average.groups) {
      expect(estimate).toBeGreaterThanOrEqual(17)
      expect(estimate).toBeLessThanOrEqual(90)
      expect(error).toBeGreaterThan(0)
    }
    // Bought with noise of ±1: 100 and 200.
    expect(Math.abs(count.groups[0].estimate - 100)).toBeLessThan(10)
    expect(Math.abs(count.groups[1].estimate - 200)).toBeLessThan(10)
  })

  test('says what is wrong with a name, with options that do not go, and with an empty history', async () => {
    const w = workspace()
    const empty = await w.here('ask', women, '--model', 'kernel', '--json')
    expect(empty).toMatchObject({
      status: 1,
      json: { error: { code: 'not-estimable', message: 'nothing has been released yet' } },
    })
    buyTwo(w)
    const typo = await w.here('ask', women, '--model', 'kernl', '--json')
    expect(typo).toMatchObject({
      status: 2,
      json: { error: { message: expect.stringContaining('did you mean kernel') } },
    })
    expect((await w.here('ask', women, '--model', 'kernel', '--within', '5')).status).toBe(2)
    expect((await w.here('history', '--model', 'kernel')).status).toBe(2)
    for (const flags of [
      ['--alpha', '5'],
      ['--model', 'kernel', '--alpha', '0'],
      ['--model', 'mixture', '--alpha', '5'],
    ])
      expect((await w.here('ask', women, ...flags)).status, flags.join(' ')).toBe(2)
    expect((await w.here('ask', women, '--model', 'kernel', '--alpha', '40', '--json')).json.parameters.alpha).toBe(40)
    expect((await w.here('history', '--improve', '--model', 'kernel', '--alpha', '40')).status).toBe(0)
  })

  test('forgets an earlier epoch', () => {
    const w = workspace()
    buyTwo(w)
    w.write('people.csv', `${people}\nperson 300,40,Male,1000,CA,01.01.1986,true`)
    expect(w.run('ledger', 'epoch').status).toBe(0)
    expect(w.run('history').stdout).toContain('since the data changed')
    expect(w.run('ask', women, '--model', 'kernel', '--json').json.error).toMatchObject({
      code: 'not-estimable',
      message: 'nothing has been released since the data changed',
    })
  })
})

test('history --improve --model kernel shows purchases beside what a model says', () => {
  const w = workspace()
  buyTwo(w)
  const { improved } = w.run('history', '--improve', '--model', 'kernel', '--json').json
  expect(improved).toHaveLength(2)
  const [bySex, old] = improved
  expect(bySex.byModel[0].groups).toHaveLength(2)
  expect(old.byModel).toHaveLength(2)
  expect(Math.abs(old.byModel[0].estimate - old.before[0].estimate)).toBeLessThan(10)
  expect(old.fit.parameters).toMatchObject({ answers: 4 })
  const { stdout, stderr } = w.run('history', '--improve', '--model', 'kernel')
  expect(stdout).toContain('by the model')
  expect(stderr).toContain('fitted to 4 noisy numbers')
  expect(stderr).toContain('half as wide as a 95% interval')
  w.run('ask', 'SELECT MEDIAN(age), SUM(age) FROM people', '--epsilon', '0.1')
  const mixture = w.run('history', '--improve', '--model', 'mixture')
  expect(mixture.stderr).toContain('1 statement is left out')
  expect(mixture.stderr).toContain('answers are not counts')
})

test('the library asks a model of an opened table, and fits it anew after a purchase', async () => {
  const w = workspace()
  buyTwo(w)
  const data = await open(w.path('reticent.yaml'))
  try {
    const first = await data.askModel(women, { model: 'kernel' })
    await data.ask(women, { epsilon: 5 })
    const second = await data.askModel(women, { model: 'kernel' })
    const errors = [first, second].map((answer) => ('error' in answer ? answer.error! : Number.NaN))
    expect(errors[1]).toBeLessThan(errors[0]! / 2)
  } finally {
    await data.close()
  }
})
