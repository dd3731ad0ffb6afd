import { expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/seeded.ts'
import { rational, toNumber } from '../../src/numeric/index.ts'
import { discreteLaplace, discreteLaplaces } from '../../src/trusted/random/index.ts'
import { fits, laplaceCdf } from './goodness.ts'

// One by one: numerators and denominators below 2^26 take the double arithmetic, the others BigInt. In bulk: inversion
// up to 2^36.
const scales = {
  '1/3': rational(1, 3),
  '0.9': rational(9, 10),
  '1': rational(1),
  '7/3': rational(7, 3),
  '40': rational(40),
  '1000.5': rational(2001, 2),
  '5/2 written large': rational(5n * 2n ** 40n + 1n, 2n ** 41n),
  '10^9': rational(10n ** 9n),
  '10^12': rational(10n ** 12n),
}
const draws = 100_000

// Each test of a true law fails once in 10^6 seeds; each wrong one must be seen.
for (const [name, scale] of Object.entries(scales)) {
  const b = toNumber(scale)
  const forms = {
    'one by one': (seed: number) => {
      const bits = seededBits(seed)
      return Array.from({ length: draws }, () => discreteLaplace(scale, bits))
    },
    'in bulk': (seed: number) => discreteLaplaces(scale, draws, seededBits(seed)),
  }
  for (const [form, sample] of Object.entries(forms))
    test(`scale ${name}, ${form}: accepts the true law, rejects scales off by 30%`, () => {
      const values = sample(20_260_101)
      expect(values.length).toBe(draws)
      expect(fits(values, laplaceCdf(b))).toBe(true)
      expect(fits(values, laplaceCdf(1.3 * b))).toBe(false)
      expect(fits(values, laplaceCdf(b / 1.3))).toBe(false)
      // A law that counts zero twice, as a sign given to a zero magnitude would, is seen at the scales where zero is
      // common.
      const doubled = (k: number) => {
        const zero = laplaceCdf(b)(0) - laplaceCdf(b)(-1)
        return (laplaceCdf(b)(k) + (k >= 0 ? zero : 0)) / (1 + zero)
      }
      if (b < 10) expect(fits(values, doubled)).toBe(false)
    })
}
