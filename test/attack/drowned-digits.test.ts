import { describe, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { rational } from '../../src/numeric/index.ts'
import { countAll, marginal, type NoiseLaw } from '../../src/query/index.ts'
import { universe } from '../../src/schema/index.ts'
import { code, count, found, historyOf, integers, measured } from '../support/estimates.ts'
import { mixedNoise, mostMissed } from '../support/mixed-noise.ts'
import { policyText, Workspace } from '../system/workspace.ts'

test('a table bought with noise beyond all counts leaves later answers as they are', async () => {
  const policy = policyText.replace('epsilon: 1.0', 'epsilon: 3.0')
  const data = await open(new Workspace({ 'reticent.yaml': policy }).withLedger().path('reticent.yaml'))
  await data.ask('SELECT age, sex, COUNT(*) FROM people GROUP BY age, sex', { within: 1e15 })
  const bought = await data.ask('SELECT COUNT(*) FROM people', { epsilon: '2' })
  const again = await data.ask('SELECT COUNT(*) FROM people', { within: 60 })
  expect(bought).toMatchObject({ kind: 'fresh' })
  expect(again).toMatchObject({ kind: 'free' })
  if (!('interval' in again)) throw new Error('one number was asked for')
  // 300 people; noise of scale 1/2 is beyond 20 once in 10^17.
  expect(Math.abs(again.estimate! - 300)).toBeLessThan(20)
  await data.close()
})

describe('noise of 10^15 beside noise of 1', () => {
  const u = universe([integers('a', 3), integers('b', 2)])
  const absurd: NoiseLaw = { kind: 'laplace', scale: rational(10n ** 15n) }
  const fine: NoiseLaw = { kind: 'laplace', scale: rational(1) }
  const wild = [7e14, -3e15, 1e15 + 1, 2e14, -9e14, 4e15]
  const table = measured('1.0', marginal(['a', 'b']), wild, absurd)

  test('does not take part where others tell the question', () => {
    for (const first of [
      [table, measured('2.0', count({ a: code(1) }), [1429], fine)],
      [measured('2.0', count({ a: code(1) }), [1429], fine), table],
    ]) {
      const history = historyOf(u, first)
      const { estimate, variance, rounding, leftOut, dwarfed } = found(history.estimate(count({ a: code(1) })))
      expect(Math.abs(estimate - 1429)).toBeLessThanOrEqual(rounding.estimate)
      // The law's own: 1/(2 sinh²(1/2)).
      expect(variance).toBeCloseTo(1 / (2 * Math.sinh(0.5) ** 2), 9)
      expect({ leftOut, dwarfed }).toEqual({ leftOut: 0, dwarfed: 6 })
    }
  })

  test('still answers what nothing else tells', () => {
    const history = historyOf(u, [table, measured('2.0', countAll, [1429], fine)])
    const { estimate, variance } = found(history.estimate(count({ a: code(1), b: code(1) })))
    // Of six cells one, less its sixth of the total, which is as good as known.
    expect(variance / ((5 / 6) * 2e30)).toBeCloseTo(1, 9)
    expect(Math.abs(estimate - (2e14 - wild.reduce((sum, y) => sum + y, 0) / 6))).toBeLessThan(1e3)
  })

  test('what doubles cannot carry is withheld, and the answer says so', () => {
    // Next to 10^18 doubles are 128 apart; the noise is 1.
    const huge = measured('1.0', marginal(['a', 'b']), [1e18, 2e18, 3e18, 4e18, 5e18, 6e18], fine)
    const history = historyOf(u, [huge])
    expect(history.estimate(count({ a: code(1) }))).toEqual({ estimable: false, leftOut: 0, imprecise: true })
    for (const estimate of history.estimates(marginal(['a'])))
      expect(estimate).toEqual({ estimable: false, leftOut: 0, imprecise: true })
  })
})

describe('random histories against least squares in integers', () => {
  test('noise from 10^-3 to 10^15: told intervals hold, and are the best there are or withheld', () => {
    const { told, missed, withheld, off, below } = mixedNoise(40, [-3, 15], 1)
    expect(told).toBeGreaterThan(130)
    expect(missed).toBeLessThan(mostMissed(told))
    // A noise is 20 deviations off with a probability below 10^-12.
    expect(off).toBeLessThan(20)
    expect(below).toBeLessThan(1e-9)
    expect(withheld).toBeLessThan(told / 20)
  })

  test('noise within a factor of 10^4: nothing is withheld, left out or less than the best', () => {
    const { told, missed, withheld, partly, off, above, below } = mixedNoise(40, [0, 4], 2)
    expect(told).toBeGreaterThan(120)
    expect(missed).toBeLessThan(mostMissed(told))
    expect({ withheld, partly, off }).toEqual({ withheld: 0, partly: 0, off: 0 })
    expect(Math.max(above, below)).toBeLessThan(1e-9)
  })
})
