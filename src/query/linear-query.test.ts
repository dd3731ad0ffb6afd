import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf, factor, queryOver, smallUniverse } from '../../test/support/queries.ts'
import { rational } from '../numeric/index.ts'
import { attribute, universe } from '../schema/index.ts'
import {
  answerSize,
  attributesOf,
  axisSizes,
  checkQuery,
  countAll,
  factorAt,
  factorTable,
  groupOf,
  type LinearQuery,
  marginal,
  marginalOver,
  weightAt,
} from './linear-query.ts'

const integer = (name: string, size: number) =>
  attribute({ kind: 'integer', name, closed: true, low: 0, high: size - 1 })
const u = universe([integer('a', 5), integer('b', 3), integer('big', 2 ** 24 - 2)])

test('a factor is the same at a code and in its table', () => {
  const sized = fc.integer({ min: 1, max: 9 }).chain((size) => factor(size).map((f) => ({ f, size })))
  fc.assert(
    fc.property(sized, ({ f, size }) => {
      const table = factorTable(f, size)
      expect(table).toHaveLength(size)
      for (let code = 0; code < size; code++) expect(table[code]! + 0).toBe(factorAt(f, code) + 0)
    }),
  )
})

test('a weight is the sum over terms of the product of factor tables, inside the groups', () => {
  const problem = smallUniverse(3).chain((v) => queryOver(v, 'grouped').map((q) => ({ v, q })))
  fc.assert(
    fc.property(problem, ({ v, q }) => {
      checkQuery(q, v)
      const tables = q.terms.map((t) =>
        v.attributes.map((a) => t.factors[a.name] && factorTable(t.factors[a.name]!, a.size)),
      )
      for (const cell of cellsOf(v)) {
        const inside = q.by.every((g) => {
          const code = cell[v.index.get(g.attribute)!]!
          return !g.groups || g.groups.some((group) => factorTable(group, 9)[code] === 1)
        })
        const products = q.terms.map(({ coefficient }, i) =>
          cell.reduce((product, code, k) => product * (tables[i]![k]?.[code] ?? 1), coefficient),
        )
        const sum = products.reduce((s, p) => s + p, 0)
        expect(weightAt(q, v, cell) + 0).toBe(inside ? sum + 0 : 0)
      }
    }),
  )
})

test('groups, axes and attributes', () => {
  const q: LinearQuery = {
    ...countAll,
    by: [
      { attribute: 'b' },
      {
        attribute: 'a',
        groups: [
          { kind: 'interval', from: 0, to: 1 },
          { kind: 'set', codes: [3] },
        ],
      },
    ],
    terms: [{ coefficient: 1, factors: { big: { kind: 'set', codes: [7] } } }],
  }
  checkQuery(q, u)
  expect(axisSizes(q, u)).toEqual([3, 2])
  expect(answerSize(q, u)).toBe(6)
  expect([0, 1, 2, 3, 4].map((code) => groupOf(q.by[1]!, code))).toEqual([0, 0, -1, 1, -1])
  expect(groupOf(q.by[0]!, 2)).toBe(2)
  expect(attributesOf(q, u)).toEqual(['a', 'b', 'big'])
  expect([weightAt(q, u, [3, 0, 7]), weightAt(q, u, [2, 0, 7]), weightAt(q, u, [3, 0, 8])]).toEqual([1, 0, 0])
})

test('marginals know themselves', () => {
  expect(marginalOver(marginal(['b', 'a']))).toEqual(['b', 'a'])
  expect(marginalOver(countAll)).toEqual([])
  const plain = marginal(['a'])
  expect(marginalOver({ ...plain, step: rational(1, 2) })).toBeUndefined()
  expect(marginalOver({ ...plain, by: [{ attribute: 'a', groups: [] }] })).toBeUndefined()
  expect(marginalOver({ ...plain, terms: [{ coefficient: 2, factors: {} }] })).toBeUndefined()
  expect(marginalOver({ ...plain, terms: [] })).toBeUndefined()
  expect(
    marginalOver({ ...plain, terms: [{ coefficient: 1, factors: { b: { kind: 'set', codes: [0] } } }] }),
  ).toBeUndefined()
})
