import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toldDown, toldUp } from './digits.ts'

test('a number is told in six digits, on its side', () => {
  expect([toldDown(0.920419921137), toldUp(0.920419021137)]).toEqual([0.920419, 0.92042])
  expect([toldDown(0.9999996), toldUp(0.9999996)]).toEqual([0.999999, 1])
  expect([toldDown(0), toldUp(0), toldDown(2), toldUp(2)]).toEqual([0, 0, 2, 2])
})

test('never across it, and never a whole unit away', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1000, noNaN: true }), (value) => {
      for (const told of [toldDown(value), toldUp(value)]) {
        expect(
          String(told)
            .replace(/e.*|\D/g, '')
            .replace(/^0+/, '')
            .replace(/0+$/, '').length,
        ).toBeLessThanOrEqual(6)
        expect(Math.abs(told - value)).toBeLessThan(1.0001e-5 * value)
      }
      expect(toldDown(value)).toBeLessThanOrEqual(value)
      expect(toldUp(value)).toBeGreaterThanOrEqual(value)
    }),
  )
})
