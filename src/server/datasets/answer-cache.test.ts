import { expect, test } from 'vitest'
import { AnswerCache } from './answer-cache.ts'

/** With its key of one character and its quotes it takes 100. */
const answer = 'x'.repeat(97)

test('answers are kept as long as all of them together are small, those asked for last the longest', () => {
  const cache = new AnswerCache(800)
  const keys = [...'abcdefghi']
  for (const key of keys.slice(0, 8)) cache.put(key, answer)
  // The same again does not count twice.
  for (let i = 0; i < 10; i++) cache.put('h', answer)
  expect(cache.get('a')).toBe(answer)
  cache.put('i', answer)
  expect(keys.filter((key) => cache.get(key) === undefined)).toEqual(['b'])
  // What is large drives out nothing.
  cache.put('b', answer.repeat(2))
  expect(keys.filter((key) => cache.get(key) === undefined)).toEqual(['b'])
})
