import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asWords, scripted } from '../../../../test/statistical/scripted.ts'
import { type Rational, rational, toNumber } from '../../../numeric/index.ts'
import { expBounds, LazyUniform } from '../../random/index.ts'
import { jumpsBy, levelsOf, nextJump } from './jumps.ts'

const scales = fc
  .tuple(fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, 10n ** 9n))
  .map(([num, den]) => rational(num, den))
  .filter((scale) => scale.num * 400n > scale.den)

/** cosh(1/s) - 1 = (1-a)²/2a in integers, between two bounds of a. */
function weightBounds({ num, den }: Rational): [bigint, bigint] {
  const unit = 1n << 2000n
  const a = expBounds(den, num, 2000)
  const weight = (x: bigint) => (((unit - x) ** 2n) << 200n) / (2n * x * unit)
  return [weight(a.high), weight(a.low) + 1n]
}

/** A double in units of 2^-200; exact from 2^-80 up. */
const fixed = (value: number): bigint => BigInt(Math.floor(value * 2 ** 140)) << 60n

test('weights keep their proven error', () => {
  fc.assert(
    fc.property(scales, (scale) => {
      const [low, high] = weightBounds(scale)
      const value = fixed(levelsOf([scale]).weight[0]!)
      fc.pre(value > 2n ** 120n)
      const slack = high >> 40n
      expect(value >= low - slack && value <= high + slack).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('the next jump is the first level that exact comparison finds', () => {
  fc.assert(
    fc.property(
      fc.array(scales, { minLength: 2, maxLength: 12 }),
      fc.bigInt(2n ** 150n, 2n ** 180n - 1n),
      (some, value) => {
        const grid = [...some].sort((a, b) => toNumber(a) - toNumber(b))
        fc.pre(grid.every((scale, i) => i === 0 || toNumber(scale) > toNumber(grid[i - 1]!)))
        const found = nextJump(0, levelsOf(grid), scripted(asWords(value)))
        const [from] = weightBounds(grid[0]!)
        const slow = grid.findIndex((scale, i) => i > 0 && weightBounds(scale)[1] << 180n <= value * from)
        expect(found).toBe(slow === -1 ? grid.length : slow)
      },
    ),
    { numRuns: 200 },
  )
})

test('a uniform number right beside the ratio of two weights is decided exactly', () => {
  const [from, to] = [rational(7, 2), rational(22, 3)]
  const ratio = (weightBounds(to)[0] << 180n) / weightBounds(from)[1]
  const at = (offset: bigint) => {
    const value = ratio + offset
    return new LazyUniform(value >> 128n, 52, scripted(asWords(value).slice(2)))
  }
  expect(jumpsBy(at(4n), from, to)).toBe(true)
  expect(jumpsBy(at(-4n), from, to)).toBe(false)
  // And inside nextJump, whose doubles cannot tell.
  const grid = [from, to]
  const draw = (offset: bigint) => nextJump(0, levelsOf(grid), scripted(asWords(ratio + offset)))
  expect([draw(4n), draw(-4n)]).toEqual([1, 2])
})
