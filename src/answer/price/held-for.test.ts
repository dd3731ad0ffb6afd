import { expect, test } from 'vitest'
import { rational, toNumber } from '../../numeric/index.ts'
import { epsilonOfRho } from '../../trusted/accounting/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { heldFor } from './held-for.ts'

const delta = rational(1, 10 ** 9)
const under = (rho: number | null) =>
  ({ cap: { epsilon: 10 ** 12, rho }, terms: { delta } }) as Pick<Book, 'cap' | 'terms'>

test('plain ε is held as it is', () => {
  expect(heldFor(rational(1, 3), under(null))).toEqual({ epsilon: rational(1, 3) })
})

test('with δ the largest ρ is held that is (ε, δ)-private', () => {
  const { rho } = heldFor(rational(1), under(10 ** 12))
  const value = toNumber(rho!)
  expect(value).toBeCloseTo(0.01497, 5)
  expect(epsilonOfRho(value, delta)).toBeLessThanOrEqual(1)
  // One unit more is too much.
  expect(epsilonOfRho(value + 1e-12, delta)).toBeGreaterThan(1)
})

test('what is too small for one unit is refused', () => {
  expect(() => heldFor(rational(1, 10 ** 12), under(10 ** 12))).toThrow('too small')
})
