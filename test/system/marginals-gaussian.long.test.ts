import { describe, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { toldDown } from '../../src/numeric/index.ts'
import { release, rho, workspace } from './gaussian-release.ts'

describe('with δ = 10^-9 and ε = 1', () => {
  test('weights divide ρ: four times the price is half the noise', () => {
    const place = workspace('neighbours: replace-one')
    const wanted = ['--of', 'age; sex,state; state', '--weights', '4, 1, 1', '--epsilon', '1']
    const { tables } = release(place, ...wanted, '--out', 'tables', '--json').json
    const [age, both, state] = tables.map(({ scale }: { scale: number }) => scale)
    expect(both / age).toBeCloseTo(2, 6)
    expect(state).toBeCloseTo(both, 6)
    // Under replace-one a record moves between two cells: 1/σ² in ρ.
    expect(age).toBeCloseTo(Math.sqrt(6 / (4 * rho)), 4)
  })

  test('Laplace noise has to be named, and says what it costs', async () => {
    const place = workspace('neighbours: replace-one')
    const data = await open(place.path('reticent.yaml'))
    const plan = await data.planMarginals({ ways: 1, epsilon: 0.1, method: 'ireduct', records: 6000 })
    // ε²/2, for which three tables under replace-one have σ² = 3/ρ.
    expect(plan.warnings[0]).toContain(
      'up to 0.005 of 0.015. At the same price, the method gaussian has noise of standard deviation 24.5',
    )
    expect(plan.marginals[0]).not.toHaveProperty('rho')
    const { warnings } = await data.releaseMarginals({ ways: 1, epsilon: 0.1, method: 'ireduct' })
    expect(warnings[0]).toBe(plan.warnings[0])
    await expect(data.planMarginals({ ways: 1, epsilon: 0.1, weights: [1, 2] })).rejects.toThrow(
      '3 marginals, and 2 weights',
    )
    await data.close()
  })

  test('what is left can be bought, and nothing more', () => {
    const place = workspace()
    place.run('ask', 'SELECT COUNT(*) FROM people', '--epsilon', '0.4')
    const { left } = place.run('budget', '--json').json
    const refused = release(place, '--ways', '2', '--epsilon', '1', '--out', 'tables')
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`this costs ε = 1, but only ${toldDown(left.epsilon)} is left`),
    ])
    const more = (left.epsilon + 2e-9).toFixed(12)
    expect(release(place, '--ways', '2', '--epsilon', more, '--out', 'tables').status).toBe(1)
    const { json } = release(place, '--ways', '2', '--epsilon', String(left.epsilon), '--out', 'tables', '--json')
    expect(json.spent.epsilon).toBeLessThanOrEqual(1)
    expect(json.left.epsilon).toBeLessThan(0.001)
  })

  test('an analyst has a quota, and a guard says no before anything is spent', () => {
    const guard = `guards:\n  - { query: "SELECT COUNT(*) FROM people WHERE state = 4 AND age = 7", within: 20, confidence: 0.5 }\n`
    const place = workspace('neighbours: add-remove, analysts: { alice: 0.5 }', guard)
    const wanted = ['--of', 'state,age', '--as', 'alice', '--floor', '30', '--out', 'tables', '--epsilon']
    expect(release(place, ...wanted, '0.6').stderr).toContain('but only 0.5 is left')
    const refused = release(place, ...wanted, '0.5')
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('guard')])
    expect(place.run('budget', '--json').json.spent.epsilon).toBe(0)
    expect(release(place, ...wanted, '0.05').status).toBe(0)
  })

  test('two-phase combines its answers, and spends all of ρ', () => {
    const place = workspace('neighbours: replace-one')
    const { json } = release(
      place,
      '--ways',
      '1',
      '--epsilon',
      '1',
      '--method',
      'two-phase',
      '--out',
      'tables',
      '--json',
    )
    expect(json.cost.rho).toBeCloseTo(rho, 11)
    for (const { scale, deviation, answers, rho: own } of json.tables) {
      const precision = answers.reduce((sum: number, answer: { scale: number }) => sum + answer.scale ** -2, 0)
      expect(scale).toBeCloseTo(precision ** -0.5, 6)
      expect(deviation).toBe(scale)
      // Gaussian answers together are worth what they cost together.
      expect(own).toBeCloseTo(precision, 9)
    }
    expect(json.tables.some(({ answers }: { answers: unknown[] }) => answers.length === 2)).toBe(true)
  })
})
