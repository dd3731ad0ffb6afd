import { describe, expect, test } from 'vitest'
import { seededBits } from '../../../evaluation/index.ts'
import { add, multiply, one, type Rational, rational, toNumber, zero } from '../../../numeric/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import type { SynthTerms } from '../method.ts'
import { cuboids } from '../workload/cuboids.ts'
import { parities } from '../workload/parities.ts'
import { randomRanges } from '../workload/ranges.ts'
import { Candidates } from './candidates.ts'
import { designFor } from './design.ts'
import { rangeGrid } from './grid.ts'
import { choiceEpsilon, doublingPrices, equalPrices, type RoundPrices } from './prices.ts'
import type { MwemRequest } from './request.ts'
import { boundRounds } from './rounds.ts'

describe('the number of rounds', () => {
  const situation = { records: 2000, sensitivity: 1, candidates: 5000, logCells: 6 }

  test('is where the bound of Theorem 2.2 is least', () => {
    for (const amount of [0.05, 0.5, 3]) {
      const bound = (t: number) =>
        2 * situation.records * Math.sqrt(situation.logCells / t) + (10 * t * Math.log(situation.candidates)) / amount
      const all = Array.from({ length: 500 }, (_, i) => i + 1)
      const best = all.reduce((a, b) => (bound(b) < bound(a) ? b : a))
      const chosen = boundRounds({ ...situation, budget: { amount, currency: 'epsilon' } })
      // The real optimum, rounded: at most one off that over whole numbers.
      expect(Math.abs(chosen - best)).toBeLessThanOrEqual(1)
    }
  })

  test('in ρ is where the same bound is, with choices at ε₀ = 2√(ρ/T)', () => {
    for (const amount of [0.001, 0.02]) {
      const bound = (t: number) =>
        2 * situation.records * Math.sqrt(situation.logCells / t) +
        (5 * Math.log(situation.candidates)) / (2 * Math.sqrt(amount / t))
      const all = Array.from({ length: 2000 }, (_, i) => i + 1)
      const best = all.reduce((a, b) => (bound(b) < bound(a) ? b : a))
      const chosen = boundRounds({ ...situation, budget: { amount, currency: 'rho' } })
      expect(Math.abs(chosen - best)).toBeLessThanOrEqual(1)
    }
  })

  test('is at least one, and at most one per candidate', () => {
    const budget = { amount: 1e-6, currency: 'epsilon' } as const
    expect(boundRounds({ ...situation, budget })).toBe(1)
    expect(boundRounds({ ...situation, budget: { ...budget, amount: 1e9 } })).toBe(5000)
  })
})

describe('prices', () => {
  const spent = (prices: RoundPrices, faded: (round: number) => boolean): Rational[] => {
    const all: Rational[] = []
    for (let price = prices.next(false); price; price = prices.next(faded(all.length)))
      all.push(add(price.choice, price.answer))
    return all
  }
  const sum = (all: readonly Rational[]) => all.reduce(add, zero)

  test('of equal rounds add up to the budget, to the last unit', () => {
    const all = spent(equalPrices(one, 7), () => false)
    expect(all).toHaveLength(7)
    expect(sum(all)).toEqual(one)
  })

  test('double where the signal faded, and add up to the budget', () => {
    const steady = spent(doublingPrices(one, 16), () => false)
    expect(steady).toHaveLength(16)
    expect(sum(steady)).toEqual(one)
    const fading = spent(doublingPrices(one, 16), () => true).map(toNumber)
    expect(fading).toEqual([1 / 16, 2 / 16, 4 / 16, 9 / 16])
  })

  test('of a choice in ρ: the largest ε that it pays for, from below', () => {
    for (const price of [rational(1, 3), rational(1, 10 ** 7), rational(7, 10n ** 11n)]) {
      const epsilon = choiceEpsilon(price, 'rho')
      const cost = toNumber(multiply(multiply(epsilon, epsilon), rational(1, 8)))
      expect(cost).toBeLessThanOrEqual(toNumber(price))
      expect(cost).toBeGreaterThan(0.999_999 * toNumber(price))
    }
  })
})

describe('what the budget buys', () => {
  const integer = (name: string, size: number) =>
    attribute({ kind: 'integer', name, low: 0, high: size - 1, closed: true })
  const design = (
    over: ReturnType<typeof universe>,
    queries: MwemRequest['queries'],
    more: Partial<MwemRequest> = {},
  ) => {
    const terms: SynthTerms = { universe: over, unitNoise: () => one, distanceSensitivity: () => 1n }
    const request: MwemRequest = {
      budget: { epsilon: one },
      records: { kind: 'known', count: 1000 },
      history: [],
      queries,
      ...more,
    }
    return designFor(request, {
      budget: { epsilon: one },
      records: 1000,
      candidates: new Candidates(queries, terms),
      terms,
    })
  }
  const bits = (count: number) => universe(Array.from({ length: count }, (_, i) => integer(`x${i}`, 2)))

  test('half as many rounds for ranges over a long attribute', () => {
    const rounds = (size: number) => {
      const over = universe([integer('x', size)])
      return design(over, randomRanges(over, 200, seededBits(3).uniform), { startShare: zero }).rounds!.count!
    }
    const bound = (size: number) =>
      boundRounds({
        records: 1000,
        budget: { amount: 1, currency: 'epsilon' },
        sensitivity: 1,
        candidates: 200,
        logCells: Math.log(size),
      })
    expect(rounds(2000)).toBe(Math.round(bound(2000) / 2))
    expect(rounds(16)).toBe(bound(16))
  })

  test('counts of all cells where there are few, rounds where there are many', () => {
    expect(design(bits(6), parities(bits(6), 3)).start).toBeDefined()
    expect(design(bits(6), parities(bits(6), 3)).rounds).toBeUndefined()
    expect(design(bits(18), cuboids(bits(18), 1)).start).toBeUndefined()
    expect(design(bits(16), cuboids(bits(16), 1)).start).toBeUndefined()
  })

  test('for ranges a grid with half of the budget, of fewer blocks the less there is to spend', () => {
    const over = universe([integer('x', 500), integer('y', 400)])
    const ranges = randomRanges(over, 50, seededBits(1).uniform)
    const blocks = (records: number) => rangeGrid(over, records, 0.1)?.by.map(({ groups }) => groups!.length)
    expect(design(over, ranges)).toMatchObject({ start: { kind: 'grid', price: rational(1, 2) }, rounds: {} })
    // nε/10 of them in all.
    expect([10, 300, 10_000, 1_000_000].map(blocks)).toEqual([undefined, [2, 2], [10, 10], [100, 100]])
    for (const { groups } of rangeGrid(over, 12_345, 0.3)!.by)
      for (const [i, group] of groups!.entries())
        expect(group).toMatchObject({ from: i === 0 ? 0 : (groups![i - 1] as { to: number }).to + 1 })
  })

  test('rounds where a number of them is given, or ranges are asked about', () => {
    expect(design(bits(6), parities(bits(6), 3), { rounds: 3 })).toMatchObject({ rounds: { count: 3 } })
    const line = universe([integer('age', 100)])
    const ranges = randomRanges(line, 50, seededBits(1).uniform)
    expect(design(line, ranges, { rounds: 3 }).start).toBeUndefined()
    expect(design(line, ranges, { startShare: zero }).start).toBeUndefined()
    expect(design(line, cuboids(line, 1)).start).toBeDefined()
  })
})
