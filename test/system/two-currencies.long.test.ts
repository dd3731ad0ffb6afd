import { describe, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { laplaceHalfWidth } from '../../src/numeric/index.ts'
import { ask, count, delta, policyWith, rhoOf, withDelta, workspace } from './delta-workspace.ts'
import { policyText } from './workspace.ts'

test('composition: pure keeps Laplace noise; Gaussian noise once bought cannot be counted in plain ε', () => {
  const pure = policyWith('delta: 1e-6\n  composition: pure')
  const w = workspace(pure)
  expect(ask(w, '0.1').json).toMatchObject({
    cost: { epsilon: 0.1, delta: 0 },
    left: { epsilon: 0.9, delta: 0 },
    within: laplaceHalfWidth(10, 0.95),
  })
  w.write('reticent.yaml', withDelta)
  // The Laplace noise counts in ρ as well, and what is left is what Gaussian noise may have.
  const { spent, left } = w.run('budget', '--json').json
  expect(spent).toEqual({ epsilon: 0.1, delta, rho: 0.005 })
  expect(left.epsilon).toBeLessThan(0.9)
  expect(ask(w, String(left.epsilon + 1e-8)).status).toBe(1)
  expect(ask(w, '0.1').json.spent.rho).toBeCloseTo(0.005 + rhoOf('0.1'), 12)
  w.write('reticent.yaml', pure)
  expect(ask(w, '0.1').json.error).toMatchObject({
    code: 'budget-exceeded',
    left: 0,
    message: expect.stringContaining('Gaussian'),
    hint: expect.stringContaining('composition'),
  })
  // What was promised is kept all the same, and the owner can see it.
  expect(w.run('ledger', 'verify', '--json').json).toMatchObject({ ok: true })
})

test('as many questions fit as ρ says: 75 at 0.1, where plain ε has 10', async () => {
  const w = workspace()
  const fit = Math.floor(rhoOf('1') / rhoOf('0.1'))
  expect(fit).toBe(75)
  const people = await open(w.path('reticent.yaml'))
  for (let i = 1; i <= fit; i++) {
    const { spent } = await people.ask(count, { epsilon: 0.1 })
    expect(spent.rho).toBeCloseTo(i * rhoOf('0.1'), 12)
  }
  await people.close()
  const next = ask(w, '0.1')
  expect(next.json.error).toMatchObject({ code: 'budget-exceeded', asked: 0.1, cap: 1 })
  expect(next.json.error.left).toBeLessThan(0.1)
  const { spent } = w.run('budget', '--json').json
  expect(spent.epsilon).toBeLessThanOrEqual(1)
})

test('parts share ρ, groups cost as one count, and other records pay nothing', () => {
  const w = workspace()
  const { json } = ask(w, '0.3', "SELECT AVG(age), COUNT(*) FILTER (WHERE sex = 'Male') AS men FROM people")
  expect(json.cost.epsilon).toBeLessThanOrEqual(0.3)
  expect(json.cost.rho).toBeCloseTo(rhoOf('0.3'), 11)
  expect(json.parts).toHaveLength(3)
  const grouped = ask(w, '0.3', 'SELECT state, COUNT(*) FROM people GROUP BY state').json
  expect(grouped.parts[0].scale).toBeCloseTo(Math.sqrt(1 / (2 * rhoOf('0.3'))), 9)
  ask(w, '0.2', `${count} WHERE age < 40`)
  const older = `${count} WHERE age >= 40`
  const nothing = { epsilon: 0, delta, rho: 0 }
  expect(w.run('ask', older, '--epsilon', '0.2', '--plan', '--json').json).toMatchObject({ raised: nothing })
  expect(ask(w, '0.2', older).json.raised).toEqual(nothing)
})

test('another δ in the policy is refused until the owner changes the cap', () => {
  const w = workspace(policyText)
  ask(w, '0.1')
  w.write('reticent.yaml', withDelta)
  expect(ask(w, '0.1').json.error).toMatchObject({ code: 'policy-changed', message: expect.stringContaining('δ') })
  expect(w.run('ledger', 'cap', '1.0', '--json').json.cap).toEqual({ epsilon: 1, delta })
  expect(ask(w, '0.1').json.spent.rho).toBeCloseTo(0.005 + rhoOf('0.1'), 12)
  w.write('reticent.yaml', policyText)
  const back = w.run('ledger', 'cap', '1.0', '--json')
  expect(back.json.error.message).toContain('Gaussian')
  w.write('reticent.yaml', withDelta)
  expect(w.run('ledger', 'verify', '--json').json).toMatchObject({ ok: true, rows: 6 })
})

test('after answers were given, the owner may not choose between two promises that cannot be compared', () => {
  const w = workspace(withDelta)
  const capped = (epsilon: string, otherDelta: string) => {
    w.write('reticent.yaml', withDelta.replace('epsilon: 1.0', `epsilon: ${epsilon}`).replace('1e-6', otherDelta))
    return w.run('ledger', 'cap', epsilon, '--json')
  }
  // Nobody has seen anything yet.
  expect(capped('2.0', '1e-9').status).toBe(0)
  expect(capped('1.0', '1e-6').status).toBe(0)
  expect(ask(w, '0.1').status).toBe(0)
  expect(capped('2.0', '1e-9').json.error.hint).toContain('raise both or lower both')
  expect(capped('0.9', '1e-5').status).toBe(2)
  // Neither is lowering both a way around.
  expect(capped('0.9', '1e-9').status).toBe(0)
  expect(capped('2.0', '1e-9').status).toBe(2)
  expect(capped('2.0', '1e-5').status).toBe(0)
})

describe('a hint names what can be had, and a little more is refused', () => {
  /** What the error says is left; the hint tells six digits of it, never more. */
  const hinted = async (refused: Promise<unknown>): Promise<number> => {
    const { hint, facts } = await refused.then(
      () => expect.unreachable(),
      (error) => error,
    )
    const told = Number(/--epsilon (\S+) or less/.exec(hint)?.[1])
    expect([told <= facts.left, told >= 0.99999 * facts.left]).toEqual([true, true])
    return facts.left
  }
  const beyond = (epsilon: number) => (epsilon + 1e-8).toFixed(12)
  test.each([
    ['with δ', withDelta],
    ['in plain ε', policyText],
    ['with δ and a quota', policyWith('delta: 1e-6\n  analysts: { alice: 0.6 }')],
    ['in plain ε with a quota', policyWith('analysts: { alice: 0.6 }')],
  ])('for questions and trees, %s', async (_, policy) => {
    const as = policy.includes('alice') ? { as: 'alice' } : {}
    const people = await open(workspace(policy).path('reticent.yaml'))
    await people.ask(count, { epsilon: 0.1, ...as })
    const left = await hinted(people.ask(count, { epsilon: 2, ...as }))
    expect(await hinted(people.releaseTree({ of: ['age'], epsilon: 2, ...as }))).toBe(left)
    const { affordable, left: planned } = await people.planTree({ of: ['age'], epsilon: 2, ...as })
    expect([affordable, planned.epsilon]).toEqual([false, left])
    await expect(people.ask(count, { epsilon: beyond(left), ...as })).rejects.toMatchObject({ code: 'budget-exceeded' })
    await expect(people.releaseTree({ of: ['age'], epsilon: beyond(left), ...as })).rejects.toMatchObject({
      code: 'budget-exceeded',
    })
    await people.releaseTree({ of: ['age'], epsilon: left, ...as })
    await people.close()
  })
})
