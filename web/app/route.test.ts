import { expect, test } from 'vitest'
import { parametersOf, questionOf } from '../ask/question.ts'
import { hashOf, routeOf } from './route.ts'

test('an address names a page and what is on it', () => {
  expect(routeOf('#/ask?q=SELECT+1%3F&within=150')).toEqual({
    page: 'ask',
    parameters: { q: 'SELECT 1?', within: '150' },
  })
  expect(routeOf('#/history')).toEqual({ page: 'history', parameters: {} })
  expect(routeOf('')).toEqual({ page: 'ask', parameters: {} })
  expect(routeOf('#/nowhere').page).toBe('ask')
  expect(routeOf('#/toString').page).toBe('ask')
})

test('a question comes back from its link', () => {
  const question = { sql: "SELECT COUNT(*) FROM census WHERE state = 'A&B?'", within: 150, confidence: 0.9 }
  expect(questionOf(routeOf(hashOf('ask', parametersOf(question))).parameters)).toEqual(question)
})

test('what makes no sense in a link is left out', () => {
  expect(questionOf({ q: 'SELECT 1', within: '-3', epsilon: 'x', confidence: '7' })).toEqual({
    sql: 'SELECT 1',
    confidence: 0.95,
  })
})
