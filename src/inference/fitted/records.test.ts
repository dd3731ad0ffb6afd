import { expect, test } from 'vitest'
import { integers } from '../../../test/support/estimates.ts'
import { seededBits } from '../../evaluation/index.ts'
import { one, rational } from '../../numeric/index.ts'
import { type LinearQuery, type Measurement, marginal } from '../../query/index.ts'
import { universe } from '../../schema/index.ts'
import { toldRecords } from './records.ts'

const u = universe([integers('a', 10), integers('b', 2)])
const where = (factors: LinearQuery['terms'][number]['factors'], by: LinearQuery['by'] = []): LinearQuery => ({
  by,
  terms: [{ coefficient: 1, factors }],
  step: one,
})
let answers = 0
const answer = (query: LinearQuery, ...values: readonly number[]): Measurement => ({
  id: `${++answers}.0`,
  query,
  law: { kind: 'laplace', scale: rational(1) },
  values: Float64Array.from(values),
})
const told = (...measurements: Measurement[]) => toldRecords({ universe: u, measurements }, seededBits(1).uniform)
const halves = {
  attribute: 'a',
  groups: [
    { kind: 'interval', from: 0, to: 4 },
    { kind: 'interval', from: 5, to: 9 },
  ],
} as const

const b = (code: number) => ({ b: { kind: 'interval', from: code, to: code } }) as const
const young = where({ a: { kind: 'interval', from: 0, to: 4 } })
const old = where({ a: { kind: 'interval', from: 5, to: 9 } })

test.each([
  ['a whole table', [answer(marginal(['b']), 300, 700)]],
  ['scalar counts', [answer(young, 400), answer(old, 600)]],
  ['a table by groups that leave nobody out', [answer(where({}, [halves]), 400, 600)]],
  ['tables with conditions', [answer(where(b(0), [halves]), 100, 200), answer(where(b(1), [halves]), 300, 400)]],
  ['a table with a condition, and a count', [answer(where(b(0), [halves]), 100, 200), answer(where(b(1)), 700)]],
])('%s tell how many records there are', (_, measurements) => {
  const { count, from } = told(...measurements)
  expect(from).toBe('history')
  expect(count).toBeCloseTo(1000, 9)
})

test('where no answers add up to it, the number of records is guessed', () => {
  expect(told(answer(where(b(0), [halves]), 100, 200)).from).toBe('guessed')
  expect(told(answer(young, 400)).from).toBe('guessed')
})

test('a public number needs no answers, and there must be a record', () => {
  const random = seededBits(1).uniform
  expect(toldRecords({ universe: u, measurements: [], records: 12 }, random)).toEqual({ count: 12, from: 'public' })
  expect(() => told(answer(marginal(['b']), -30, 7))).toThrow('below 1')
  const empty = { universe: u, measurements: [], records: 0 }
  expect(() => toldRecords(empty, random)).toThrow('public number of records is 0')
})
