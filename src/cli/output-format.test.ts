import { expect, test } from 'vitest'
import { formatIn } from './output-format.ts'

test.each([
  [[], 'table'],
  [['--json'], 'json'],
  [['--csv'], 'csv'],
  [['--output', 'csv'], 'csv'],
  [['--output=json'], 'json'],
  [['--output', 'table'], 'table'],
  [['--output'], 'table'],
  [['--output=xml'], 'table'],
] as const)('%j asks for %s', (words, format) => {
  expect(formatIn(['node', 'reticent', 'ask', 'SELECT 1', ...words])).toBe(format)
})
