import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const keys = ['dataset', 'source', 'privacy', 'attributes', 'guards', 'ledger', 'age', 'sex', 'X']

test.each([
  ['attribute', 'attributes'],
  ['atributes', 'attributes'],
  ['pirvacy', 'privacy'],
  ['PRIVACY', 'privacy'],
  ['ag', 'age'],
  ['agee', 'age'],
  ['x', 'X'],
])('%s is a slip of %s', (word, meant) => expect(nearest(word, keys)).toBe(meant))

test.each(['', 'y', 'zip', 'colour', 'sourcerers'])('%j is close to nothing', (word) =>
  expect(nearest(word, keys)).toBeUndefined(),
)

test('the closest wins, the first of equals', () => {
  expect(nearest('bat', ['boat', 'bat', 'bath'])).toBe('bat')
  expect(nearest('bat', ['cat', 'hat'])).toBe('cat')
})

test('one edit of a word of two or more letters always leads back to it', () => {
  const word = fc.string({ minLength: 2, maxLength: 12 }).filter((w) => [...w.toLowerCase()].length >= 2)
  const edited = word.chain((w) =>
    fc.tuple(fc.constant(w), fc.nat([...w].length), fc.string({ minLength: 1, maxLength: 1 })),
  )
  fc.assert(
    fc.property(edited, ([w, at, letter]) => {
      const letters = [...w]
      expect(nearest([...letters.slice(0, at), letter, ...letters.slice(at)].join(''), [w])).toBe(w)
      if (letters.length > 2)
        expect(nearest(letters.toSpliced(Math.min(at, letters.length - 1), 1).join(''), [w])).toBe(w)
    }),
  )
})
