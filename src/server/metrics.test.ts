import { expect, test } from 'vitest'
import { Metrics } from './metrics.ts'

test('an owner sees the counts of his own data sets, and of none else', () => {
  const metrics = new Metrics()
  metrics.count('reticent_answers_total', { dataset: 'mine', kind: 'fresh' })
  metrics.count('reticent_answers_total', { dataset: 'theirs', kind: 'fresh' })
  metrics.count('reticent_requests_total', { route: '/docs' })
  const text = metrics.text([], new Set(['mine']))
  expect(text).toContain('dataset="mine"')
  expect(text).toContain('route="/docs"')
  expect(text).not.toContain('theirs')
})
