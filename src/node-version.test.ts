import { expect, test } from 'vitest'
import { tooOld } from './node-version.ts'

test('an older Node is told so, this one and later ones are not', () => {
  expect(tooOld('20.20.2')).toBe('Reticent needs Node 24 or later, and this is 20.20.2')
  for (const version of [undefined, '24.0.0', '100.1.0']) expect(tooOld(version)).toBe(undefined)
})
