import { expect, test } from 'vitest'
import { censusUniverse } from '../../evaluation/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { allWays, checkMarginals, containing, parseMarginals } from './selection.ts'

const people = universe(
  ['age', 'sex', 'state', 'income'].map((name, i) =>
    attribute({ kind: 'integer', name, low: 0, high: 10 * i + 1, closed: true }),
  ),
)
/** 200 attributes of 1000 values: more pairs than fit in memory, and more triples than could be listed. */
const wide = universe(
  Array.from({ length: 200 }, (_, i) => attribute({ kind: 'integer', name: `a${i}`, low: 0, high: 999, closed: true })),
)
/** Small cells, but very many marginals. */
const bits = universe(
  Array.from({ length: 1000 }, (_, i) => attribute({ kind: 'boolean', name: `b${i}`, closed: true })),
)

test('all ways are all choices of so many attributes, each once, in the order of the policy', () => {
  expect(allWays(people, 1)).toEqual([['age'], ['sex'], ['state'], ['income']])
  expect(allWays(people, 2).map((pair) => pair.join())).toEqual([
    'age,sex',
    'age,state',
    'age,income',
    'sex,state',
    'sex,income',
    'state,income',
  ])
  expect(allWays(people, 3)).toHaveLength(4)
  expect(allWays(people, 4)).toEqual([['age', 'sex', 'state', 'income']])
  expect(allWays(censusUniverse, 2)).toHaveLength(36)
  for (const ways of [1, 2, 3, 4]) expect(() => checkMarginals(allWays(people, ways), people)).not.toThrow()
})

test('those with an attribute are it by itself and with each of the others: what naive Bayes needs', () => {
  expect(containing(people, 'state', 2)).toEqual([['state'], ['state', 'age'], ['state', 'sex'], ['state', 'income']])
  expect(containing(people, 'state', 1)).toEqual([['state']])
  expect(containing(people, 'sex', 3).map((names) => names.join())).toEqual([
    'sex',
    'sex,age,state',
    'sex,age,income',
    'sex,state,income',
  ])
  expect(() => containing(people, 'statte', 2)).toThrow('did you mean state')
})

test('a list is read as it is written', () => {
  expect(parseMarginals('age,sex; state', people)).toEqual([['age', 'sex'], ['state']])
  expect(parseMarginals(' age , sex;state ; ', people)).toEqual([['age', 'sex'], ['state']])
})

test.each([
  ['', 'no marginal'],
  [';', 'needs attributes'],
  ['age;;sex', 'needs attributes'],
  ['age,', 'needs attributes'],
  ['age; aeg', 'did you mean age'],
  ['age,sex,age', 'twice'],
  ['age,sex; state; sex,age', 'sex,age is listed twice'],
])('the list %j is refused', (list, words) => {
  expect(() => parseMarginals(list, people)).toThrow(words)
})

test.each([0, -1, 1.5, 5, Number.NaN])('%d ways are refused', (ways) => {
  expect(() => allWays(people, ways)).toThrow('from 1 to 4')
  expect(() => containing(people, 'age', ways)).toThrow('from 1 to 4')
})

test('what has too many cells, or is too many marginals, is refused before it is listed', () => {
  expect(() => allWays(wide, 2)).toThrow('19,900,000,000 cells')
  expect(() => allWays(wide, 5)).toThrow('cells')
  expect(() => containing(wide, 'a7', 3)).toThrow('cells')
  expect(() => containing(wide, 'a7', 2)).toThrow('199,000,000 cells')
  expect(() => allWays(bits, 2)).toThrow('499,500 marginals')
  expect(() => parseMarginals('a1,a2,a3', wide)).toThrow('1,000,000,000 cells')
  expect(() => checkMarginals(Array(100_001).fill(['a1']), wide)).toThrow('100,001 marginals')
})
