import { expect, test } from 'vitest'
import { visible, visibleCell, visibleJson } from './visible.ts'

/** Every character that must not reach a terminal. */
const harmful = [
  ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).filter((c) => c !== '\n' && c !== '\t'),
  ...Array.from({ length: 33 }, (_, i) => String.fromCharCode(0x7f + i)),
  ...'\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff',
  '\ud83d',
  '\ude00',
]

test('controls, overrides of direction and halves of pairs are shown, not obeyed', () => {
  for (const character of harmful) expect(visible(`a${character}b`)).toMatch(/^a\\(x[0-9a-f]{2}|u[0-9a-f]{4})b$/)
  expect(visible('\x1b[2J\u202egnp.exe')).toBe('\\x1b[2J\\u202egnp.exe')
})

test('text in any script stays as it is', () => {
  for (const text of ['a\n\tb', 'naïve 漢字 עברית', '😀', '≥ … × ε']) expect(visible(text)).toBe(text)
})

test('a cell stays on its line', () => {
  expect(visibleCell('a\nb\tc\r')).toBe('a\\nb\\tc\\x0d')
})

test('JSON stays the same JSON', () => {
  const value = { [harmful.join('|')]: [harmful, 'a\n\t😀'] }
  const printed = visibleJson(JSON.stringify(value))
  expect(JSON.parse(printed)).toEqual(value)
  expect(visible(printed)).toBe(printed)
})
