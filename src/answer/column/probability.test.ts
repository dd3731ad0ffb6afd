import { expect, test } from 'vitest'
import { errorLawByCharacteristic } from '../../inference/index.ts'
import { probabilityOf } from './probability.ts'
import { parseThreshold } from './threshold.ts'

const scale = 3
const law = errorLawByCharacteristic([{ law: { kind: 'laplace', scale }, coefficient: 1, count: 1 }])
/** The law itself: θ = 10 - k with probability ∝ e^(-|k|/scale). */
const twin = (claim: (theta: number) => boolean) => {
  let [held, all] = [0, 0]
  for (let k = -400; k <= 400; k++) {
    const mass = Math.exp(-Math.abs(k) / scale)
    all += mass
    if (claim(10 - k)) held += mass
  }
  return held / all
}
const holds = { '>': (a: number, b: number) => a > b, '>=': (a: number, b: number) => a >= b }

test.each([
  [1, 0],
  [2, 5],
  [-2, 5],
  [-0.5, 0],
])('a claim about %f·θ + %f has the probability of those θ for which it is true', (times, offset) => {
  for (const bound of [-20, -15, 0, 9, 10, 10.5, 25, 27])
    for (const operator of ['>', '>=', '<', '<='] as const) {
      const claim = (theta: number) => {
        const value = times * theta + offset
        return operator === '<' || operator === '<='
          ? !holds[operator === '<' ? '>=' : '>'](value, bound)
          : holds[operator](value, bound)
      }
      const p = probabilityOf({ operator, value: bound }, { part: 0, times, offset }, { estimate: 10, law })
      expect(p).toBeCloseTo(twin(claim), 12)
    }
})

test('on a lattice > and >= differ by the mass of the number itself', () => {
  const p = (operator: '>' | '>=') =>
    probabilityOf({ operator, value: 10 }, { part: 0, times: 1, offset: 0 }, { estimate: 10, law })
  expect(p('>=') - p('>')).toBeCloseTo(
    twin((theta) => theta === 10),
    12,
  )
})

test('a constant is as the claim says, or not', () => {
  const of = { times: 0, offset: 7 }
  expect(probabilityOf(parseThreshold('>= 7'), of, undefined)).toBe(1)
  expect(probabilityOf(parseThreshold('> 7'), of, undefined)).toBe(0)
})

test('claims are read strictly', () => {
  expect(parseThreshold(' >1e3 ')).toEqual({ operator: '>', value: 1000 })
  expect(parseThreshold('<= -2.5')).toEqual({ operator: '<=', value: -2.5 })
  for (const text of ['1000', '> ', '=> 3', '> x', '> Infinity', '= 3', ''])
    expect(() => parseThreshold(text)).toThrow('probability of')
})
