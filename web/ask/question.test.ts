import { expect, test } from 'vitest'
import { pageWords } from '../parts/page-words.ts'
import { changed, measureOf, type Question, suits } from './question.ts'

test.each([
  ['SELECT COUNT(*) FROM t', 'count'],
  ['select count(*) from t where age > 3 group by x', 'count'],
  ['SELECT sex, AVG( age ) FROM t GROUP BY sex', 'avg(age)'],
  ['SELECT SUM(round(x, 2) * y) FROM t', 'sum(round(x,2)*y)'],
  ['SELECT 100.0 * COUNT(*) FILTER (WHERE a) / COUNT(*) FROM t', '/ count'],
  ['SELECT SUM(ag', ''],
  ['SELECT ', ''],
])('%s measures %s', (sql, measure) => expect(measureOf(sql)).toBe(measure))

test('a half-width stays with what it was chosen for', () => {
  const counted: Question = { sql: 'SELECT COUNT(*) FROM t', within: 100, confidence: 0.95 }
  const after = (sql: string) => changed(counted, { sql }, measureOf(counted.sql)).within
  expect(after('SELECT COUNT(*) FROM t WHERE age > 3')).toBe(100)
  expect(after('SELECT sex, COUNT(*) FROM t GROUP BY sex')).toBe(100)
  expect(after('SELECT AV')).toBe(100)
  expect(after('SELECT AVG(age) FROM t')).toBeUndefined()
  // Chosen together with the question.
  expect(changed(counted, { sql: 'SELECT AVG(age) FROM t', within: 2 }, 'count').within).toBe(2)
  // Nobody has chosen it yet.
  expect(changed(counted, { sql: 'SELECT AVG(age) FROM t' }, '').within).toBe(100)
})

test('a curve suits statements that measure the same', () => {
  const curve = { query: 'SELECT COUNT(*) FROM t' }
  expect(suits(curve, 'SELECT COUNT(*) FROM t WHERE age > 3')).toBe(true)
  expect(suits(curve, 'SELECT COUN')).toBe(true)
  expect(suits(curve, 'SELECT AVG(age) FROM t')).toBe(false)
})

test('options of the command line are called as they are on the page', () => {
  expect(pageWords('Ask with --epsilon instead: the answer says how precise it is.')).toBe(
    'Ask with “for ε” instead: the answer says how precise it is.',
  )
  expect(pageWords('groups with few records are less precise; --floor sets another limit')).toBe(
    'groups with few records are less precise',
  )
  expect(
    pageWords('Ask for less precision. With --floor F, ratios over fewer than F records may be less precise.'),
  ).toBe('Ask for less precision.')
})
