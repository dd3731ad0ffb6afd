import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { open } from './open.ts'
import { seal } from './seal.ts'

const secret = seal(4711)

test('an exact answer shows itself to open alone', () => {
  expect(open(secret)).toBe(4711)
  expect(() => open({} as typeof secret)).toThrow('not a sealed answer')
})

test('printing and serialising show nothing', () => {
  const copies = [
    String(secret.toString()),
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ secret }, { showHidden: true, depth: 9 }),
  ]
  for (const text of copies) expect(text).not.toContain('4711')
  expect(Reflect.ownKeys(secret)).toEqual([])
  expect(() => structuredClone(secret)).not.toThrow()
  expect(Reflect.ownKeys(structuredClone(secret))).toEqual([])
})

test('arithmetic and comparison are refused', () => {
  const value = secret as unknown as number
  expect(() => value + 1).toThrow('cannot be used as a value')
  expect(() => value < 5000).toThrow('cannot be used as a value')
  expect(() => `${value}`).toThrow('cannot be used as a value')
  // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison is the point
  expect(() => value == 4711).toThrow('cannot be used as a value')
})
