import { describe, expect, test } from 'vitest'
import { gaussianHalfWidth } from '../../src/numeric/index.ts'
import { ask, count, delta, policyWith, rhoOf, withDelta, workspace } from './delta-workspace.ts'
import { Workspace } from './workspace.ts'

test('with δ a question buys Gaussian noise, and all that is left can be asked for', () => {
  const w = workspace()
  const { json } = ask(w, '0.1')
  const rho = rhoOf('0.1')
  expect(json).toMatchObject({ kind: 'fresh', cost: { delta, rho }, raised: { delta, rho }, spent: { delta, rho } })
  expect(json.cost.epsilon).toBeLessThanOrEqual(0.1)
  expect(json.cost.epsilon).toBeGreaterThan(0.0999999)
  expect(json.parts[0].scale).toBeCloseTo(Math.sqrt(1 / (2 * rho)), 9)
  expect(json.within).toBe(gaussianHalfWidth(1 / (2 * rho), 0.95))
  // σ is near 40: beyond 9σ with probability 10^-18.
  expect(Math.abs(json.estimate - 300)).toBeLessThan(9 * json.parts[0].scale)

  const { left } = json
  expect(left.rho).toBeCloseTo(rhoOf('1') - rho, 12)
  const over = ask(w, String(left.epsilon + 1e-8))
  expect(over.status).toBe(1)
  expect(over.json.error).toMatchObject({ code: 'budget-exceeded', left: left.epsilon, cap: 1 })
  const all = ask(w, String(left.epsilon))
  expect(all.status).toBe(0)
  expect(all.json.spent.epsilon).toBeLessThanOrEqual(1)
  expect(all.json.spent.epsilon).toBeGreaterThan(0.999999)
  expect(all.json.left.epsilon).toBeLessThan(0.001)
  expect(w.run('ledger', 'verify', '--json').json).toMatchObject({ ok: true, cap: 1 })
})

describe('factors in ρ', () => {
  /** σ² of the one part of a plan. */
  const variance = (w: Workspace, sql: string) =>
    w.run('ask', sql, '--epsilon', '0.1', '--plan', '--json').json.parts[0].scale ** 2
  test('replace-one: 1/σ² for a marginal, 1/2σ² for a filtered count', () => {
    const w = workspace(withDelta.replace('add-remove', 'replace-one'))
    expect(variance(w, 'SELECT sex, COUNT(*) FROM people GROUP BY sex')).toBeCloseTo(1 / rhoOf('0.1'), 6)
    expect(variance(w, `${count} WHERE age < 40`)).toBeCloseTo(1 / (2 * rhoOf('0.1')), 6)
  })
  test('a unit of three rows: nine times', () => {
    const w = workspace(withDelta.replace('unit: row', 'unit: { column: name, rows: 3 }'))
    expect(variance(w, count)).toBeCloseTo(9 / (2 * rhoOf('0.1')), 6)
  })
})

describe('what cannot be had', () => {
  test.each(['1', '-1e-9'])('δ = %s is no δ', (wrong) => {
    const w = new Workspace({ 'reticent.yaml': policyWith(`delta: ${wrong}`) })
    const { status, json } = w.run('ledger', 'create', '--json')
    expect([status, json.error.code]).toEqual([1, 'policy-invalid'])
    expect(JSON.stringify(json.error)).toContain('from 0 to below 1')
  })
  test('an ε so small that δ does not let it buy anything', () => {
    const w = workspace(policyWith('delta: 1e-15'))
    const { status, json } = ask(w, '1e-6')
    expect([status, json.error.code]).toEqual([2, 'usage'])
    expect(json.error.message).toContain('too small')
  })
})
