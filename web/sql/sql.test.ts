import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attribute } from './attribute.ts'
import { completions, placeAt } from './completion.ts'
import { sentenceOf } from './read-sentence.ts'
import { type Comparison, comparisonsOf, conditionOn, type Sentence, sqlOf } from './sentence.ts'
import { tokensOf } from './tokens.ts'

const common = { isNumber: false, hasNull: false, hasOther: false, more: 0 }
const attributes: Attribute[] = [
  {
    ...common,
    name: 'age',
    kind: 'integer',
    isNumber: true,
    cells: 101,
    low: '0',
    high: '100',
    labels: ['0'],
    more: 100,
  },
  { ...common, name: 'state', kind: 'values', cells: 3, labels: ['SP', 'MG', "O'Higgins"] },
  {
    ...common,
    name: 'Home Town',
    kind: 'values',
    hasNull: true,
    hasOther: true,
    cells: 4,
    labels: ['A', 'B', 'other', null],
  },
  {
    ...common,
    name: 'born',
    kind: 'date',
    cells: 24,
    low: '1900-01-01',
    high: '1901-12-31',
    by: 'month',
    labels: [],
    more: 24,
  },
  { ...common, name: 'member', kind: 'boolean', cells: 2, labels: ['false', 'true'] },
]

test('tokens put together are the text, whatever it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(
        tokensOf(text)
          .map((t) => t.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

describe('the sentence builder', () => {
  const names = attributes.map((a) => a.name)
  const condition = fc
    .constantFrom(...attributes)
    .chain((a) =>
      fc.constantFrom<Comparison>(...comparisonsOf(a)).map((comparison) => ({ ...conditionOn(a), comparison })),
    )
  const sentence: fc.Arbitrary<Sentence> = fc.record({
    measure: fc.constantFrom('count' as const, 'average' as const, 'median' as const, 'sum' as const),
    where: fc.array(condition, { maxLength: 3 }),
    by: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
  })
  test('reads what it has written', () => {
    fc.assert(
      fc.property(sentence, (plain) => {
        const said = plain.measure === 'count' ? plain : { ...plain, of: 'age' }
        expect(sentenceOf(sqlOf(said, 'census', attributes), 'census', attributes)).toEqual(said)
      }),
    )
  })
  test('reads other spellings of the same', () => {
    expect(sentenceOf('select STATE, count( * ) from census where age>=65 group by 1;', 'census', attributes)).toEqual({
      measure: 'count',
      where: [{ attribute: 'age', comparison: 'at least', value: '65' }],
      by: ['state'],
    })
  })
  test.each([
    'SELECT',
    'SELECT COUNT(*) FROM other',
    'SELECT COUNT(*) FROM census WHERE age > 3 OR age < 2',
    'SELECT AVG(age), COUNT(*) FROM census',
  ])('leaves to SQL what it cannot say: %s', (sql) => expect(sentenceOf(sql, 'census', attributes)).toBeUndefined())
})

describe('completion', () => {
  const at = (sql: string) => {
    const caret = sql.indexOf('|')
    return completions(placeAt(sql.replace('|', ''), caret, attributes), attributes, 'census').map(({ text }) => text)
  }
  test.each([
    ['SELECT COUNT(*) FROM census WHERE a|', ['age', 'AND ', 'AS ', 'ASC ']],
    ["SELECT COUNT(*) FROM census WHERE state = 'S|", ["'SP'", "'O''Higgins'"]],
    ['SELECT COUNT(*) FROM census WHERE state = |', ["'SP'", "'MG'", "'O''Higgins'"]],
    ["SELECT COUNT(*) FROM census WHERE state IN ('SP', |", ["'SP'", "'MG'", "'O''Higgins'"]],
    ['SELECT COUNT(*) FROM c|', ['census']],
    ['SELECT COUNT(*) FROM census WHERE Home|', ['"Home Town"']],
    ['SELECT COUNT(*) FROM census WHERE member = t|', ['TRUE']],
    ['SELECT COUNT(*) FROM census WHERE age|', []],
    ['SELECT AVG(a|', ['age']],
    ['SELECT COUNT(*) FROM census WHERE "Home Town" <> |', ["'A'", "'B'"]],
    ['SELECT COUNT(*) FROM census WHERE age >= |', []],
  ])('%s', (sql, expected) => expect(at(sql)).toEqual(expected))
})
