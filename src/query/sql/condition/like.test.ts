import fc from 'fast-check'
import { expect, test } from 'vitest'
import { likePattern, matches } from './like.ts'

/** The obvious twin: a regular expression. */
function slow(pattern: string, text: string): boolean {
  const source = [...pattern].map((c) =>
    c === '%' ? '.*' : c === '_' ? '.' : `\\u{${c.codePointAt(0)!.toString(16)}}`,
  )
  return new RegExp(`^(?:${source.join('')})$`, 'su').test(text)
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), maxLength: 8 })
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '😀', '%', '%', '_'), maxLength: 7 })

test('a pattern matches what its regular expression matches', () => {
  fc.assert(
    fc.property(pattern, text, (p, t) => {
      expect(matches(likePattern(p, '\\')!, t)).toBe(slow(p, t))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['10\\%', '\\', '10%', true],
  ['10\\%', '\\', '10x', false],
  ['10!%', '!', '10%', true],
  ['a\\_b', '', 'a\\xb', true],
  ['!!', '!', '!', true],
])('%s with escape %s and %s: %s', (p, escaping, t, fits) => expect(matches(likePattern(p, escaping)!, t)).toBe(fits))

test('a pattern that ends in its escape character is none', () => expect(likePattern('a!', '!')).toBeUndefined())

test('many wildcards take no more than the product of the lengths', () => {
  expect(matches(likePattern('%a'.repeat(300), '\\')!, `${'a'.repeat(5000)}b`)).toBe(false)
})
