import { describe, expect, test } from 'vitest'
import {
  code,
  count,
  found,
  historyOf,
  integers,
  law,
  less,
  measured,
  numbersOf,
} from '../../../test/support/estimates.ts'
import { censusUniverse } from '../../evaluation/index.ts'
import { rational } from '../../numeric/index.ts'
import { combine, countAll, type Factor, type LinearQuery } from '../../query/index.ts'
import { universe } from '../../schema/index.ts'
import { lawOf, varianceOf, varianceOfError } from '../error-law/law.ts'

describe('estimability is proven, not measured', () => {
  const cell = count(Object.fromEntries(censusUniverse.attributes.map(({ name }) => [name, code(0)])))
  const notCell = less(countAll, cell)
  const twice: LinearQuery = { ...countAll, terms: [{ coefficient: 2, factors: {} }] }

  test('3·10^10 cells: COUNT(*) does not tell COUNT(*) WHERE NOT (one cell)', () => {
    expect(censusUniverse.size).toBeGreaterThan(3n * 10n ** 10n)
    for (const query of [countAll, twice]) {
      const history = historyOf(censusUniverse, [measured('1.0', query, [1000])])
      expect(history.estimate(notCell).estimable).toBe(false)
      expect(found(history.estimate(countAll)).estimate).toBeCloseTo(query === twice ? 500 : 1000, 9)
    }
  })

  test('but both together tell the cell', () => {
    const history = historyOf(censusUniverse, [measured('1.0', countAll, [1000]), measured('2.0', notCell, [990])])
    expect(found(history.estimate(cell)).estimate).toBeCloseTo(10, 9)
  })

  test('an answer too near to others to be combined still answers its own question', () => {
    const u = universe([integers('a', 2)])
    const table = (...values: number[]) => count({ a: { kind: 'table', values } })
    const [one, next] = [table(1e10, 1), table(1e10 + 1, 1)]
    const history = historyOf(u, [measured('1.0', one, [2000]), measured('2.0', next, [990])])
    const own = found(history.estimate(combine([{ query: next, times: rational(-3) }])))
    expect({ ...numbersOf(own), leftOut: own.leftOut }).toMatchObject({ estimate: -2970, leftOut: 1 })
    expect(varianceOfError(own.coefficients)).toBe(own.variance)
    // A third answer separates the two: then all are used.
    history.append(measured('3.0', table(0, 1), [8]))
    expect(found(history.estimate(next)).leftOut).toBe(0)
    expect(found(history.estimate(next)).variance).toBeLessThan(
      found(historyOf(u, [measured('2.0', next, [990])]).estimate(next)).variance,
    )
  })

  test('answers that are near to each other are combined, and lose no more digits than they must', () => {
    const u = universe([integers('a', 2)])
    const table = (...values: number[]) => count({ a: { kind: 'table', values } })
    const list = [table(1e6, 1), table(1, 0), table(1e6 + 1, 2)].map((query, i) => measured(`${i}.0`, query, [1e6]))
    for (const order of [list, list.toReversed()]) {
      const { estimate, variance, leftOut } = found(historyOf(u, order.slice(0, 2)).estimate(table(0, 1)))
      // [0, 1] = [1e6, 1] - 1e6·[1, 0] = [1e6 + 1, 2] - (1e6 + 1)·[1, 0], halved.
      const times = order === list ? [1, -1e6] : [0.5, -(1e6 + 1) / 2]
      const expected = 1e6 * (times[0]! + times[1]!)
      expect(leftOut).toBe(0)
      // The angle between them is 10^-6: so many digits are lost.
      expect(Math.abs(estimate / expected - 1)).toBeLessThan(1e-10)
      const noise = varianceOf(lawOf(law)!) * (times[0]! ** 2 + times[1]! ** 2)
      expect(Math.abs(variance / noise - 1)).toBeLessThan(1e-10)
    }
  })

  test('weights whose corners doubles do not hold exactly tell nothing that they should not', () => {
    const u = universe([integers('a', 2), integers('b', 2)])
    const table = (values: number[]): Factor => ({ kind: 'table', values })
    const huge = count({ a: table([2 ** 40 + 1, 1]), b: table([2 ** 40 - 1, 3]) })
    const history = historyOf(u, [measured('1.0', huge, [77]), measured('2.0', count({ b: code(1) }), [100])])
    expect(found(history.estimate(huge)).estimate).toBeCloseTo(77, 9)
    expect(found(history.estimate(count({ b: code(1) }))).estimate).toBeCloseTo(100, 9)
    expect(history.estimate(count({ a: code(0) })).estimable).toBe(false)
  })

  test('COUNT(*) twice over and COUNT(*) WHERE NOT (one cell) are far apart by their corners', () => {
    const history = historyOf(censusUniverse, [measured('1.0', twice, [2000]), measured('2.0', notCell, [990])])
    expect(numbersOf(history.estimate(cell))).toMatchObject({ estimate: 10 })
    expect(found(history.estimate(cell)).leftOut).toBe(0)
  })

  test('solutions that are no simple fractions are proven by elimination', () => {
    const u = universe([integers('a', 5)])
    const table = (values: number[]) => count({ a: { kind: 'table', values } })
    const list = [
      [700_001, 123_457, 4, 9, 2],
      [3, 800_011, 1, 777_777, 5],
      [2, 9, 900_007, 1, 654_321],
      [55_555, 5, 3, 800_003, 1],
      [1, 2, 333_333, 5, 700_027],
    ].map((values, i) => measured(`${i}.0`, table(values), [100 * i]))
    // The determinant has 30 digits. Five independent rows tell everything, four do not.
    expect(historyOf(u, list).estimate(table([1, 0, 0, 0, 0])).estimable).toBe(true)
    expect(historyOf(u, list.slice(1)).estimate(table([1, 0, 0, 0, 0])).estimable).toBe(false)
  })
})
