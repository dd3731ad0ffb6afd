import { expect, test } from 'vitest'
import { policyIn, withPolicy } from './same-policy.ts'

test.each([
  [['ask', 'SELECT 1'], undefined],
  [['ask', '--policy', 'reticent.yaml'], undefined],
  [['ask', '--policy', 'a/b.yaml'], 'a/b.yaml'],
  [['ledger', 'create', '--policy=b.yaml', '--json'], 'b.yaml'],
  [['check', '--policy'], undefined],
  [['serve', '--policy', 'a.yaml', 'b.yaml'], undefined],
] as const)('%j names %s', (words, policy) => expect(policyIn(['node', 'reticent', ...words])).toBe(policy))

test('commands in hints are about the same policy', () => {
  const hint = 'The owner makes one, once, with `reticent ledger create`. Then run: reticent check.'
  expect(withPolicy(hint, undefined)).toBe(hint)
  expect(withPolicy(hint, 'a/b.yaml')).toBe(
    'The owner makes one, once, with `reticent ledger create --policy a/b.yaml`. Then run: reticent check --policy a/b.yaml.',
  )
  expect(withPolicy('reticent check', "it's mine.yaml")).toBe(`reticent check --policy 'it'\\''s mine.yaml'`)
  expect(withPolicy('reticent check --policy x.yaml', 'y.yaml')).toBe('reticent check --policy x.yaml')
  expect(withPolicy('Draft one with: reticent init DATA.', 'y.yaml')).toBe('Draft one with: reticent init DATA.')
})
