import { expect, test } from 'vitest'
import type { Policy } from '../schema/index.ts'
import { analystOf } from './app.ts'

test('a token without a name asks for nobody, once the policy names analysts', () => {
  const policy = { privacy: { analysts: new Map([['alice', 1]]) } } as unknown as Policy
  const grant = { dataset: 'people', role: 'analyst', name: null, tokenId: 'a' } as const
  expect(() => analystOf(grant, policy, undefined)).toThrow(expect.objectContaining({ code: 'forbidden' }))
  expect(analystOf({ ...grant, name: 'alice' }, policy, undefined)).toEqual({ as: 'alice' })
})
