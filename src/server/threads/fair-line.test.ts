import { expect, test } from 'vitest'
import { FairLine } from './fair-line.ts'

const pause = () => new Promise((resolve) => setImmediate(resolve))

/** Work that ends when it is told to, in the order in which it began. */
function scene(most: number) {
  const line = new FairLine(() => most)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (caller: string, name: string) =>
    line.do(caller, async () => {
      begun.push(name)
      await new Promise<void>((end) => ends.push(end))
      return name
    })
  const end = async () => {
    ends.shift()!()
    await pause()
  }
  return { line, begun, ask, end }
}

test('callers take turns, and each one’s questions stay in their order', async () => {
  const { begun, ask, end } = scene(2)
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name[0]!, name))
  await pause()
  expect(begun).toEqual(['a1', 'a2'])
  for (let i = 0; i < all.length; i++) await end()
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2'])
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
})

test('a failure makes room as an answer does', async () => {
  const { line, begun, ask, end } = scene(1)
  const failed = expect(line.do('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const next = ask('b', 'b1')
  await failed
  await pause()
  expect(begun).toEqual(['b1'])
  await end()
  expect(await next).toBe('b1')
})

test('one who comes to a long line of another’s waits for what is under way, and one more', async () => {
  const { begun, ask, end } = scene(1)
  const flood = Array.from({ length: 1000 }, (_, i) => ask('flood', `f${i}`))
  const other = ask('other', 'o')
  await pause()
  await end()
  await end()
  expect(begun.slice(0, 3)).toEqual(['f0', 'f1', 'o'])
  await end()
  expect(await other).toBe('o')
  for (let i = 3; i < 1001; i++) await end()
  expect(await Promise.all(flood)).toHaveLength(1000)
})
