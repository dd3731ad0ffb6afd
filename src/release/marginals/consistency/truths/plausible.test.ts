import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededBits } from '../../../../evaluation/index.ts'
import { oddsRatios, twoByTwo } from './odds.ts'
import { plausible, straying } from './plausible.ts'
import { type Noisy, priors } from './prior.ts'
import { raked } from './raked.ts'
import { strays } from './strays.ts'

const sumOf = (table: Float64Array) => table.reduce((a, b) => a + b, 0)

/** A table of these counts with Laplace noise of scale 100; equal counts are expected. */
function noisyTable(counts: Float64Array, random: () => number): Noisy {
  const laplace = () => Math.log1p(-random()) - Math.log1p(-random())
  const expected = new Float64Array(counts.length).fill(Math.max(1, sumOf(counts) / counts.length))
  return { values: counts.map((count) => count + 100 * laplace()), expected, scale: 100, freedom: 1 }
}

test('no count is negative, and what noise does not hide stays as it is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -500, max: 5000 }), { minLength: 1, maxLength: 40 }),
      fc.constantFrom(0.01, 10, 1000),
      fc.nat(),
      (counts, scale, seed) => {
        const { uniform } = seededBits(seed)
        const values = Float64Array.from(counts)
        const noisy = { values, expected: values.map(() => 300), scale, freedom: 1 }
        const [shares] = priors([noisy], uniform)
        const far = strays([noisy])(0, uniform)
        for (const table of [plausible(noisy, shares!, uniform), straying(noisy, far, uniform)])
          table.forEach((count, i) => {
            expect(count).toBeGreaterThanOrEqual(0)
            if (values[i]! >= 6 * scale) expect(count).toBe(values[i])
          })
      },
    ),
  )
})

/** Of how many cells in 400 a plausible table says that they are below 0.3 of the noise's scale. */
function small(count: number): number {
  const { uniform } = seededBits(5)
  const noisy = noisyTable(new Float64Array(400).fill(count), uniform)
  const [shares] = priors([noisy], uniform)
  return plausible(noisy, shares!, uniform).filter((one) => one < 30).length
}

test('it tells a table of small counts from one of counts three times the noise, though both have negative ones', () => {
  expect(small(1)).toBeGreaterThan(220)
  expect(small(300)).toBeLessThan(25)
})

test('a table of two cells is judged by the others', () => {
  const { uniform } = seededBits(6)
  const others = Array.from({ length: 60 }, () => noisyTable(Float64Array.of(500, 400), uniform))
  const [shares] = priors([noisyTable(Float64Array.of(500, 400), uniform), ...others], uniform)
  const unlucky: Noisy = { ...others[0]!, values: Float64Array.of(-50, 900) }
  const draws = Array.from({ length: 200 }, () => plausible(unlucky, shares!, uniform)[0]!)
  // By itself it would be taken for next to nothing: no other table has such counts.
  expect(draws.filter((count) => count > 100).length).toBeGreaterThan(150)
})

test('tables stray as far as they do, and where noise hides that, as the others', () => {
  const { uniform } = seededBits(7)
  const even = Array.from({ length: 20 }, () => noisyTable(new Float64Array(50).fill(1000), uniform))
  const uneven = Array.from({ length: 20 }, () =>
    noisyTable(
      Float64Array.from({ length: 50 }, (_, i) => (i % 2) * 2000),
      uniform,
    ),
  )
  const far = strays([...even, ...uneven])
  for (let i = 0; i < 20; i++) {
    expect(far(i, uniform)).toBeLessThanOrEqual(0.03)
    expect(far(20 + i, uniform)).toBeGreaterThanOrEqual(0.3)
  }
  const hidden = { ...noisyTable(new Float64Array(50).fill(1000), uniform), scale: 1e4 }
  const drawn = Array.from({ length: 100 }, () => strays([hidden, ...uneven])(0, uniform))
  expect(drawn.filter((level) => level >= 0.3).length).toBeGreaterThan(60)
})

test('raking makes slices add up, and keeps zeros', () => {
  const made = raked(Float64Array.of(1, 2, 0, 3, 4, 5), [Float64Array.of(10, 20), Float64Array.of(5, 10, 15)], 200)
  expect(made[2]).toBe(0)
  expect(made[0]! + made[1]! + made[2]!).toBeCloseTo(10, 6)
  expect(made[2]! + made[5]!).toBeCloseTo(15, 6)
})

test('a table of two by two values has its sums and its odds ratio', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(1000), (...counts) => {
      const [a, b, c, d] = counts.map((count) => count + 1) as [number, number, number, number]
      const made = twoByTwo([Float64Array.of(a + b, c + d), Float64Array.of(a + c, b + d)], Math.log((a * d) / (b * c)))
      for (const [i, count] of [a, b, c, d].entries()) expect(made[i]).toBeCloseTo(count, 5)
    }),
  )
})

test('odds ratios that noise hides are judged by those of all tables', () => {
  const { uniform } = seededBits(9)
  const sums = [Float64Array.of(2000, 8000), Float64Array.of(1000, 9000)]
  const laplace = () => Math.log1p(-uniform()) - Math.log1p(-uniform())
  const tableOf = (logOdds: number) => {
    const values = twoByTwo(sums, logOdds).map((count) => count + 300 * laplace())
    return { values, expected: twoByTwo(sums, 0), sums, scale: 300, freedom: 0.25 }
  }
  const draw = oddsRatios(Array.from({ length: 100 }, () => tableOf(1.5)))
  const draws = Array.from({ length: 100 }, (_, i) => draw(i, uniform))
  // By themselves a quarter of them would be taken for a ratio below 1: a deviation of noise is what the interaction is.
  expect(draws.filter((one) => one > 0.5 && one < 3).length).toBeGreaterThan(85)
})
