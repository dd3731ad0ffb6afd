import { expect, test } from 'vitest'
import type { Answer, Group } from '../../index.ts'
import { answerText } from './answer.ts'
import { costText } from './cost.ts'

const group = (state: string, estimate: number, within: number | null): Group => ({
  key: { state },
  estimate,
  interval: within === null ? [null, null] : [estimate - within, estimate + within],
  within,
})
const groups = [group('CA', 1234.5, 100), group('an island', -164, null)]
const answer = {
  confidence: 0.95,
  keys: ['state'],
  answers: [
    { name: 'share', groups },
    { name: 'sum', groups },
  ],
} as unknown as Answer
const text = (width?: number) => [...answerText(answer, undefined, width)].join('\n')

test('a number without a bound is unknown', () => {
  expect(text()).toMatch(
    /^CA +1,235 {2}1,135 … 1,335 +1,235 +1,135 … 1,335\nan island +unknown +-∞ … ∞ +unknown +-∞ … ∞$/m,
  )
})

test('where intervals of several aggregates do not fit, half-widths do', () => {
  expect(text(60)).toBe(text())
  expect(text(50)).toMatch(
    /^state +share {2}95% within +sum {2}95% within\n─.*\nCA +1,235 +±100 +1,235 +±100\nan island +unknown +unknown$/,
  )
})

test('a share without any doubt has its digits', () => {
  const shares = [group('CA', 45.993673, 0), group('TX', 0, 0)]
  const lines = [...answerText({ ...answer, answers: [{ name: 'n', groups: shares }] } as unknown as Answer, undefined)]
  expect(lines.join('\n')).toContain('45.993673 … 45.993673')
})

test('a text that reads NULL is told from a missing value', () => {
  const own = [group('NULL', 1, 1), { ...group('', 2, 1), key: { state: null } }]
  const lines = [...answerText({ ...answer, answers: [{ name: 'n', groups: own }] } as unknown as Answer, undefined)]
  expect(lines.join('\n')).toMatch(/^'NULL' .*\nNULL /m)
})

test('a number that noise took beyond what is possible is explained, and no other', () => {
  const told = (interval: [number, number]) =>
    costText({
      ...answer,
      answers: [{ name: 'n', groups: [{ ...group('CA', -68, 500), interval }] }],
      kind: 'fresh',
      parts: [],
      ...{ cost: { epsilon: 1, delta: 0 }, spent: { epsilon: 1, delta: 0 }, left: { epsilon: 0, delta: 0 } },
      receipt: '1:00',
    } as unknown as Answer)
  expect(told([0, 432])).toContain('outside its interval is noise')
  expect(told([-568, 432])).not.toContain('is noise')
})
