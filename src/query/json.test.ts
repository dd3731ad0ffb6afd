import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queryOver, smallUniverse } from '../../test/support/queries.ts'
import { rational } from '../numeric/index.ts'
import { canonicalJson, lawFromJson, lawToJson, queryFromJson, queryKey, queryToJson } from './json.ts'
import { countAll } from './linear-query.ts'

test('queries survive being stored', () => {
  fc.assert(
    fc.property(
      smallUniverse().chain((u) => queryOver(u, 'grouped')),
      (q) => {
        const text = queryKey(q)
        const read = queryFromJson(JSON.parse(text))
        expect(read).toEqual(q)
        expect(queryKey(read)).toBe(text)
      },
    ),
  )
})

test('laws survive being stored', () => {
  for (const law of [
    { kind: 'laplace', scale: rational(7, 3) },
    { kind: 'gaussian', variance: rational(2) },
    { kind: 'none' },
  ] as const) {
    expect(lawFromJson(JSON.parse(canonicalJson(lawToJson(law))))).toEqual(law)
  }
})

test('equal values have equal texts, whatever the order of their keys', () => {
  expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: null })).toBe('{"a":null,"b":[1,{"c":3,"d":2}]}')
  expect(canonicalJson({ a: null, b: [1, { c: 3, d: 2 }] })).toBe('{"a":null,"b":[1,{"c":3,"d":2}]}')
  expect(canonicalJson([2, 1])).toBe('[2,1]')
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1},"b":1}')
})

const stored = queryToJson(countAll) as object
const term = (f: unknown) => ({ ...stored, terms: [{ coefficient: 1, factors: { a: f } }] })

describe('refused', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', []],
    ['no terms', { ...stored, terms: undefined }],
    ['terms that are none', { ...stored, terms: [null] }],
    ['a key too many', { ...stored, where: [] }],
    ['a key too many in a term', { ...stored, terms: [{ coefficient: 1, factors: {}, weight: 2 }] }],
    ['a coefficient in quotes', { ...stored, terms: [{ coefficient: '1', factors: {} }] }],
    ['a step that is a number', { ...stored, step: 1 }],
    ['a step that is no number', { ...stored, step: '1/0' }],
    ['groups by number', { ...stored, by: [{ attribute: 1 }] }],
    ['groups of values', { ...stored, by: [{ attribute: 'a', groups: [{ kind: 'table', values: [1] }] }] }],
    ['a key too many in a group', { ...stored, by: [{ attribute: 'a', width: 5 }] }],
    ['an unknown factor', term({ kind: 'fourier', from: 0, to: 1 })],
    ['no kind', term({ from: 0, to: 1 })],
    ['an interval without end', term({ kind: 'interval', from: 0 })],
    ['an interval with more', term({ kind: 'interval', from: 0, to: 1, weight: 2 })],
    ['a set that is none', term({ kind: 'set', codes: 1 })],
    ['a set with more', term({ kind: 'set', codes: [1], not: true })],
    ['a cube', term({ kind: 'value', slope: 1, shift: 0, power: 3, from: 0, to: 1 })],
    ['a table of texts', term({ kind: 'table', values: ['1'] })],
  ])('the query: %s', (_, value) =>
    expect(() => queryFromJson(value)).toThrow(/^a stored (query|fraction) cannot be read$/),
  )

  test.each<[string, unknown]>([
    ['nothing', null],
    ['another law', { kind: 'cauchy', scale: '1' }],
    ['no scale', { kind: 'laplace' }],
    ['a scale that is a number', { kind: 'laplace', scale: 1 }],
    ['a variance that is no number', { kind: 'gaussian', variance: 'x' }],
    ['more than a law', { kind: 'laplace', scale: '1', truncated: true }],
    ['none with a scale', { kind: 'none', scale: '1' }],
  ])('the law: %s', (_, value) =>
    expect(() => lawFromJson(value)).toThrow(/^a stored (noise law|fraction) cannot be read$/),
  )
})
