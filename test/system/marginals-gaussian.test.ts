import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { csv, policy, release, rho, workspace } from './gaussian-release.ts'
import { Workspace } from './workspace.ts'

describe('with δ = 10^-9 and ε = 1', () => {
  test('three pairs have the noise of a third of ρ each, and the release costs what was drawn', () => {
    const place = workspace()
    const wanted = ['--ways', '2', '--epsilon', '1', '--floor', '30']
    const plan = release(place, ...wanted, '--plan', '--json').json
    // Nothing depends on the number of records, so it is not bought: σ² = 3/2ρ.
    const sigma = Math.sqrt(3 / (2 * rho))
    expect(plan).toMatchObject({ method: 'gaussian', noise: 'gaussian', affordable: true, warnings: [] })
    for (const { scale, deviation, rho: own } of plan.marginals) {
      expect([scale, deviation]).toEqual([expect.closeTo(sigma, 4), expect.closeTo(sigma, 4)])
      expect(own).toBeCloseTo(rho / 3, 10)
    }
    const { json } = release(place, ...wanted, '--out', 'tables', '--json')
    const { cost, raised, spent, left, tables } = json
    // Three thirds, each rounded up to a unit of 10^-12, never more than the whole.
    expect(cost.rho).toBeLessThanOrEqual(rho)
    expect(cost.rho).toBeGreaterThan(rho - 5e-12)
    expect([raised, spent]).toEqual([cost, cost])
    expect(cost).toMatchObject({ epsilon: 1, delta: 1e-9 })
    expect(left.epsilon).toBeLessThan(0.0001)
    for (const table of tables) {
      expect(table.answers).toEqual([{ law: 'gaussian', scale: expect.closeTo(sigma, 4) }])
      // 1.96 σ, or less by what other tables say.
      expect(table.within).toBeLessThan(1.97 * sigma)
      expect(table.within).toBeGreaterThan(1.5 * sigma)
    }
    expect(tables.reduce((sum: number, table: { rho: number }) => sum + table.rho, 0)).toBeCloseTo(cost.rho, 11)
    expect(readFileSync(place.path('tables/report.html'), 'utf8')).toMatch(/ε at δ = 1e-9.*Gaussian noise.*noise, σ/s)
    expect(place.run('ledger', 'verify').status).toBe(0)
    expect(release(place, '--ways', '1', '--free', '--out', 'single', '--json').json.cost.rho).toBe(0)
  })

  test('the number of records is bought with its share of ρ', () => {
    const place = workspace()
    const { json } = release(place, '--ways', '1', '--epsilon', '0.5', '--out', 'tables', '--json')
    const half = json.cost.rho
    expect(json.records).toMatchObject({ from: 'bought', rho: expect.closeTo(0.02 * half, 10) })
    expect(json.records.scale).toBeCloseTo(1 / Math.sqrt(0.04 * half), 2)
    expect(json.cost.epsilon).toBeCloseTo(0.5, 6)
    const { releases } = place.run('history', '--json').json
    expect(releases.map((each: { measurements: unknown[] }) => each.measurements.length)).toEqual([1, 3])
  })
})

test('without δ there is no Gaussian noise', () => {
  const place = new Workspace({
    'people.csv': csv,
    'reticent.yaml': policy('neighbours: add-remove').replace('delta: 1e-9, ', ''),
  }).withLedger()
  const refused = release(place, '--ways', '1', '--epsilon', '1', '--method', 'gaussian', '--out', 'tables')
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('needs a δ in the policy')])
})
