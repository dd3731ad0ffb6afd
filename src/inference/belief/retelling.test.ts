import { expect, test } from 'vitest'
import { one, rational } from '../../numeric/index.ts'
import { answerSize, type Grouping, groupOf, type LinearQuery, marginal, weightAt } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { varianceOf, varianceOfError } from '../error-law/law.ts'
import { retellingsOf } from './retelling.ts'

const u = universe([
  attribute({ kind: 'integer', name: 'age', closed: true, low: 0, high: 4 }),
  attribute({ kind: 'integer', name: 'town', closed: true, low: 0, high: 2 }),
  attribute({ kind: 'integer', name: 'sex', closed: true, low: 0, high: 1 }),
])
/** A table in which every cell has another number of records. */
const cells = Array.from({ length: 30 }, (_, i) => ({
  codes: [Math.floor(i / 6), Math.floor(i / 2) % 3, i % 2],
  count: 1 + ((7 * i) % 31),
}))

/** By adding up over all cells. */
function exact(query: LinearQuery): Float64Array {
  const values = new Float64Array(answerSize(query, u))
  for (const { codes, count } of cells) {
    const group = query.by.reduce((place, g) => {
      const [own, size] = [groupOf(g, codes[u.index.get(g.attribute)!]!), g.groups?.length ?? sizeOf(g)]
      return own < 0 ? Number.NaN : place * size + own
    }, 0)
    if (!Number.isNaN(group)) values[group]! += count * weightAt(query, u, codes)
  }
  return values
}
const sizeOf = ({ attribute: name }: Grouping) => u.attributes[u.index.get(name)!]!.size
const law = { kind: 'laplace', scale: 3 } as const
const retold = (query: LinearQuery, question: LinearQuery) =>
  retellingsOf([{ query, law, values: exact(query) }], question, u)[0]

const only = (age: number): LinearQuery['terms'] => [
  { coefficient: 1, factors: { age: { kind: 'interval', from: age, to: age } } },
]
const young: Grouping = {
  attribute: 'age',
  groups: [
    { kind: 'interval', from: 0, to: 1 },
    { kind: 'set', codes: [3] },
  ],
}
const sumOfAges: LinearQuery = {
  by: [{ attribute: 'town' }],
  terms: [{ coefficient: 2, factors: { age: { kind: 'value', slope: 1, shift: -2, power: 1, from: 0, to: 4 } } }],
  step: rational(1, 2),
}

test.each<[string, LinearQuery, LinearQuery, number]>([
  ['itself', marginal(['town']), marginal(['town']), 1],
  ['one by more attributes, in another order', marginal(['age', 'sex', 'town']), marginal(['town']), 10],
  [
    'one of all attributes, for a sum with a condition',
    marginal(['sex', 'age', 'town']),
    sumOfAges,
    2 * (4 + 1 + 1 + 4),
  ],
  ['one of codes, for groups of them', marginal(['age']), { ...marginal([]), by: [young] }, 2],
  [
    'one with the same condition',
    { ...marginal(['town', 'sex']), terms: only(2) },
    { ...marginal(['sex']), terms: only(2) },
    3,
  ],
  ['any table, for the number of all', marginal(['age', 'sex']), marginal([]), 10],
])('a table is retold by %s', (_, finer, question, squares) => {
  const { values, kinds, errors } = retold(finer, question)!
  expect(values).toEqual(
    exact(question).map((value) => value * (Number(question.step.num) / Number(question.step.den))),
  )
  expect(varianceOfError(errors[kinds[0]!]!)).toBeCloseTo(squares * varianceOf(law), 9)
})

test('a single number retells the one group that it counts', () => {
  const { values } = retold({ ...marginal([]), terms: only(3) }, marginal(['age']))!
  expect([...values]).toEqual([Number.NaN, Number.NaN, Number.NaN, exact(marginal(['age']))[3], Number.NaN])
})

test.each<[string, LinearQuery, LinearQuery]>([
  ['an attribute that it has not', marginal(['age']), marginal(['town'])],
  ['a condition on one that it has not', marginal(['town']), { ...marginal(['town']), terms: only(1) }],
  ['records that it leaves out', { ...marginal(['town']), by: [{ attribute: 'town' }, young] }, marginal(['town'])],
  ['finer groups', { ...marginal([]), by: [young] }, marginal(['age'])],
  ['another condition', { ...marginal(['town']), terms: only(2) }, { ...marginal(['town']), terms: only(1) }],
  ['another unit', { ...sumOfAges, step: one }, sumOfAges],
])('a table does not retell %s', (_, other, question) => {
  expect(retold(other, question)).toBeUndefined()
})
