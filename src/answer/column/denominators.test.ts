import { expect, test } from 'vitest'
import { rational } from '../../numeric/index.ts'
import { countAll, type Expression, type LinearQuery, type Statement } from '../../query/index.ts'
import { zeroSpending } from '../../trusted/accounting/index.ts'
import { fromMeasurement } from '../known/known-part.ts'
import { overNobody } from './denominators.ts'

const sum: LinearQuery = {
  by: [],
  terms: [{ coefficient: 1, factors: { age: { kind: 'value', slope: 1, shift: 0, power: 1, from: 0, to: 9 } } }],
  step: rational(1),
}
const law = { kind: 'laplace', scale: rational(10) } as const
/** Quotients in groups with these denominators: 95% of the noise is within ±30. */
const isOfNobody = (divisor: LinearQuery, denominators: readonly number[]): boolean[] => {
  const queries = [sum, divisor]
  const parts = [denominators.map(() => 900), denominators].map((values, i) =>
    fromMeasurement({ id: `${i}`, query: queries[i]!, law, values: Float64Array.from(values) }, zeroSpending),
  )
  const quotient: Expression = { kind: 'quotient', left: { kind: 'part', part: 0 }, right: { kind: 'part', part: 1 } }
  const statement = { axes: [], parts: queries } as unknown as Statement
  const isUnknown = overNobody(quotient, parts, { confidence: 0.95, statement })
  return denominators.map((_, row) => isUnknown(row))
}

test('a count whose interval begins below one record may be of nobody', () => {
  expect(isOfNobody(countAll, [-40, 0, 30, 31, 300])).toEqual([true, true, true, false, false])
})

test('a sum that is divided by says nothing about records', () => {
  expect(isOfNobody(sum, [0, 30])).toEqual([false, false])
})
