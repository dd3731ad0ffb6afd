import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attribute, type Universe, universe } from '../schema/index.ts'
import { checkQuery, marginal, marginalOver } from './linear-query.ts'
import { MarginalList } from './marginal-list.ts'
import { answerStarts, checkQueries } from './query-list.ts'

const sizes = { a: 1, b: 2, c: 3, d: 2 ** 13, e: 2 ** 14 }
const over = universe(
  Object.entries(sizes).map(([name, size]) => attribute({ kind: 'integer', name, low: 1, high: size, closed: true })),
)
const names = [...Object.keys(sizes), 'nobody']
const lists = fc
  .record({ known: fc.shuffledSubarray(names, { minLength: 1 }), ways: fc.integer({ min: 1, max: 3 }) })
  .chain(({ known, ways }) =>
    fc
      .array(fc.array(fc.nat(known.length - 1), { minLength: ways, maxLength: ways }), { maxLength: 5 })
      .map((sets) => ({ known, ways, sets })),
  )

const complaint = (work: () => void): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

test('a list says what its marginals say one by one', () => {
  let [bad, good] = [0, 0]
  fc.assert(
    fc.property(lists, ({ known, ways, sets }) => {
      const list = new MarginalList(known, ways, sets.flat())
      const plain = sets.map((set) => marginal(set.map((axis) => known[axis]!)))
      expect([...list]).toEqual(plain)
      expect(list.length).toBe(plain.length)
      for (const place of [-1, 0, plain.length - 1, plain.length]) expect(list.at(place)).toEqual(plain[place])
      expect([...list.filter((place) => place % 2 === 0)]).toEqual(plain.filter((_, place) => place % 2 === 0))
      if (known.includes('nobody')) return
      const wrong = complaint(() => {
        for (const query of plain) checkQuery(query, over)
      })
      expect(complaint(() => checkQueries(list, over))).toBe(wrong)
      if (wrong) bad++
      else good++
      expect(answerStarts(list, over)).toEqual(answerStarts(plain, over))
    }),
  )
  expect(Math.min(bad, good)).toBeGreaterThan(5)
})

test('an attribute that is not there is refused, as is what is no list', () => {
  expect(() => checkQueries(new MarginalList(['a', 'nobody'], 2, [0, 1]), over)).toThrow('no attribute "nobody"')
  expect(() => new MarginalList(['a', 'b'], 2, [0, 2])).toThrow('lacks an attribute')
  expect(() => new MarginalList(['a', 'b'], 2, [0, -1])).toThrow('lacks an attribute')
  expect(() => new MarginalList(['a', 'b'], 2, [0, 1, 0])).toThrow('so many attributes')
  expect(() => new MarginalList(['a', 'b'], 0, [])).toThrow('so many attributes')
  expect(() => new MarginalList(['a', 'a'], 1, [0])).toThrow('names, each of its own')
  expect(() => new MarginalList([{ toString: () => 'a' } as unknown as string], 1, [0])).toThrow('names')
})

test('a copy is what was made, whatever the original says of itself, and nobody changes it', () => {
  class Liar extends MarginalList {
    override axis() {
      return 0
    }
    override starts(_: Universe) {
      return new Float64Array(2)
    }
  }
  const copy = MarginalList.copyOf(new Liar(['a', 'b', 'c'], 2, [1, 2]))!
  expect(copy.axis(0, 0)).toBe(1)
  expect(marginalOver(copy.at(0)!)).toEqual(['b', 'c'])
  expect(answerStarts(copy, over)).toEqual(Float64Array.of(0, 6))
  expect(MarginalList.copyOf(Object.create(MarginalList.prototype))).toBeUndefined()
  expect(MarginalList.copyOf(new Proxy(copy, {}))).toBeUndefined()
  expect(MarginalList.copyOf([marginal(['a'])])).toBeUndefined()
  const given = Int32Array.of(1, 2)
  const list = new MarginalList(['a', 'b', 'c'], 2, given)
  given[0] = 0
  expect(list.axis(0, 0)).toBe(1)
  expect(() => Object.assign(list, { ways: 1 })).toThrow(TypeError)
  expect(() => Object.assign(list.names, { 0: 'x' })).toThrow(TypeError)
})

test('what one list gives cannot be changed for another', () => {
  const { terms, step } = new MarginalList(['a'], 1, [0]).at(0)!
  for (const part of [terms, terms[0]!, terms[0]!.factors, step]) expect(Object.isFrozen(part)).toBe(true)
})
