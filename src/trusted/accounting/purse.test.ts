import { describe, expect, test } from 'vitest'
import { rational } from '../../numeric/index.ts'
import { countAll, type LinearQuery, marginal } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import type { Charge } from './charge.ts'
import { Purse } from './purse.ts'
import { addSpending, type Cap, fits, zeroSpending } from './spending.ts'

const u = universe([attribute({ kind: 'integer', name: 'age', closed: true, low: 0, high: 9 })])
const fresh = () => new Purse({ universe: u, privacy: { unit: { kind: 'row' }, neighbours: 'add-remove' } })
const ages = (from: number, to: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from, to } } }],
})
const laplace = (query: LinearQuery, b: number): Charge => ({
  kind: 'measurement',
  query,
  law: { kind: 'laplace', scale: rational(b) },
})
const gaussian = (query: LinearQuery, variance: number): Charge => ({
  kind: 'measurement',
  query,
  law: { kind: 'gaussian', variance: rational(variance) },
})
const both: Cap = { epsilon: 1e12, rho: 2e10 }
const never = Number.POSITIVE_INFINITY

test('a cap is kept when either currency keeps it; without ρ, ε alone', () => {
  expect(fits({ epsilon: 1e12, rho: never }, both)).toBe(true)
  expect(fits({ epsilon: never, rho: 2e10 }, both)).toBe(true)
  expect(fits({ epsilon: 1e12 + 1, rho: 2e10 + 1 }, both)).toBe(false)
  expect(fits({ epsilon: 1e12 + 1, rho: 0 }, { ...both, rho: null })).toBe(false)
  expect(addSpending({ epsilon: never, rho: 1 }, { epsilon: 1, rho: 2 })).toEqual({ epsilon: never, rho: 3 })
})

describe('a purse', () => {
  test('counts Laplace noise in both currencies, Gaussian noise in ρ alone, per cell', () => {
    const purse = fresh()
    purse.add([laplace(ages(0, 4), 10)])
    expect(purse.spent(both)).toEqual({ epsilon: 1e11, rho: 5e9 })
    expect(purse.spent({ ...both, rho: null })).toEqual({ epsilon: 1e11, rho: 0 })
    purse.add([gaussian(ages(5, 9), 100)])
    // Other records: the worst cell in ρ is still one of 5·10^9.
    expect(purse.spent(both)).toEqual({ epsilon: never, rho: 5e9 })
    purse.add([gaussian(marginal(['age']), 50)])
    expect(purse.spent(both)).toEqual({ epsilon: never, rho: 1.5e10 })
    expect(purse.exhibit()).toEqual({ epsilon: never, rho: 1.5e10 })
  })

  test('says what would be spent and charges nothing', () => {
    const purse = fresh()
    purse.add([laplace(countAll, 2)])
    expect(purse.with([laplace(countAll, 2)], both)).toEqual({ epsilon: 1e12, rho: 2.5e11 })
    expect(fits(purse.with([laplace(countAll, 2)], both), both)).toBe(true)
    expect(fits(purse.with([laplace(countAll, 1)], both), both)).toBe(false)
    expect(purse.spent(both)).toEqual({ epsilon: 5e11, rho: 1.25e11 })
  })

  test('goes on in ρ where ε is used up, and not the other way round', () => {
    const purse = fresh()
    for (let i = 0; i < 20; i++) {
      const next = [laplace(countAll, 40)]
      expect(fits(purse.with(next, both), both)).toBe(true)
      purse.add(next)
    }
    const twenty = { epsilon: 5e11, rho: 6.25e9 }
    expect(purse.spent(both)).toEqual(twenty)
    const half: Cap = { epsilon: 5e11, rho: 7e9 }
    expect(fits(purse.with([gaussian(countAll, 1000)], half), half)).toBe(true)
    expect(fits(purse.with([laplace(countAll, 40)], half), half)).toBe(true)
    expect(fits(purse.with([laplace(countAll, 10)], half), half)).toBe(false)
    expect(fits(purse.with([gaussian(countAll, 500)], half), half)).toBe(false)
    expect(fits(purse.with([gaussian(countAll, 1000)], { ...half, rho: null }), { ...half, rho: null })).toBe(false)
  })

  test('holds for every record beside what was charged, and may give back in ε only', () => {
    const purse = fresh()
    purse.add([laplace(ages(0, 4), 10)])
    purse.hold(7, { epsilon: 3e11, rho: 4.5e10 })
    expect(purse.spent(both)).toEqual({ epsilon: 4e11, rho: 5e10 })
    // Worked out only as far as the cap asks for: the coarse sum, then the worst cell.
    const more = { epsilon: 1e11, rho: 5e9 }
    expect(purse.with([laplace(ages(5, 9), 10)], both, more).epsilon).toBe(6e11)
    expect(purse.with([laplace(ages(5, 9), 10)], { epsilon: 5e11, rho: 0 }, more).epsilon).toBe(5e11)
    expect(purse.with([laplace(ages(5, 9), 10)], { epsilon: 0, rho: 5.5e10 }, more).rho).toBe(5.5e10)
    // The charges that take the place of the hold are counted in ε; in ρ the hold stays and covers them.
    purse.add([laplace(ages(5, 9), 5)], 'covered in ρ')
    purse.hold(7, { epsilon: 0, rho: 4.5e10 })
    expect(purse.spent(both)).toEqual({ epsilon: 2e11, rho: 5e10 })
  })

  test('a hold can break a cap in both currencies', () => {
    const purse = fresh()
    const run = { epsilon: 1e12, rho: 5e11 }
    expect(fits(purse.with([], both, run), both)).toBe(true)
    purse.add([laplace(countAll, 1000)])
    expect(fits(purse.with([], both, run), both)).toBe(false)
    expect(purse.spent(both)).toEqual({ epsilon: 1e9, rho: 500_000 })
    expect(fresh().spent(both)).toEqual(zeroSpending)
  })
})
