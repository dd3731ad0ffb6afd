import { expect, test } from 'vitest'
import { heldBackWarnings, noiseWarnings } from './warnings.ts'

test('tables that a guard held back are named, up to ten of them', () => {
  expect(heldBackWarnings([])).toEqual([])
  expect(heldBackWarnings([['sex', 'age'], ['state']])[0]).toContain('held back sex × age, state: ')
  const many = Array.from({ length: 12 }, (_, i) => [`a${i}`])
  expect(heldBackWarnings(many)[0]).toContain('a9, 2 more (heldBack in release.json): ')
})

test('tables are mostly noise where zeros would surely be as good', () => {
  expect(noiseWarnings({ measured: 0.9, zeros: 1 }, 'are')).toEqual([])
  expect(noiseWarnings({ measured: 1.4, zeros: 1 }, 'are')).toEqual([])
  expect(noiseWarnings({ measured: 1.634567, zeros: 1 }, 'are')[0]).toContain('error is 1.63, and tables of zeros')
  expect(noiseWarnings({ measured: 9 }, 'would be')).toEqual([])
})
