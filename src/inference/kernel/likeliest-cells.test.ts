import { expect, test } from 'vitest'
import { integers } from '../../../test/support/estimates.ts'
import { seededBits } from '../../evaluation/index.ts'
import { one, rational } from '../../numeric/index.ts'
import { answerSize, type LinearQuery, type Measurement, marginal } from '../../query/index.ts'
import { universe } from '../../schema/index.ts'
import { cellQuery } from '../blue/cell-query.ts'
import { covariance, Features } from './feature.ts'
import { fitKernel } from './fit.ts'
import { likeliestCells } from './likeliest-cells.ts'
import { priorOf } from './prior/prior.ts'

const u = universe([integers('a', 12), integers('b', 9), integers('c', 3)])
const filtered: LinearQuery = {
  by: [
    {
      attribute: 'a',
      groups: [
        { kind: 'interval', from: 0, to: 1 },
        { kind: 'interval', from: 2, to: 2 },
        { kind: 'set', codes: [3, 11] },
        { kind: 'interval', from: 4, to: 10 },
      ],
    },
    { attribute: 'b' },
  ],
  terms: [{ coefficient: 1, factors: { c: { kind: 'set', codes: [1] }, b: { kind: 'interval', from: 2, to: 8 } } }],
  step: one,
}

test.each([
  ['a marginal', marginal(['a', 'b'])],
  ['a table by groups with conditions', filtered],
])('of %s those are taken whose counts vary most under the prior', (_, query) => {
  const { uniform } = seededBits(4)
  for (let trial = 0; trial < 20; trial++) {
    const features = new Features(
      u,
      priorOf(
        u,
        u.attributes.map(({ size }) => Array.from({ length: size }, () => uniform() ** 3)),
      ),
    )
    const variances = Array.from({ length: answerSize(query, u) }, (_, cell) => {
      const feature = features.of(cellQuery(query, u, cell))
      return covariance(feature, feature)
    })
    const slow = [...variances.keys()].sort((x, y) => variances[y]! - variances[x]!).slice(0, 7)
    // A cell of more than half of all records would vary less, and stand first all the same: there is none.
    expect(Math.max(...variances)).toBeLessThan(0.25)
    expect(likeliestCells(query, u, features, 7)).toEqual(slow.sort((x, y) => x - y))
  }
})

test('where all are alike they are spread over the table, and a small table is taken whole', () => {
  const features = new Features(u, priorOf(u, []))
  const ofAll = (most: number) => likeliestCells(marginal(['a', 'b']), u, features, most)
  const places = ofAll(27)
  expect(places).toHaveLength(27)
  expect(new Set(places.map((cell, i) => cell - 4 * i))).toEqual(new Set([3]))
  expect(ofAll(108)).toEqual(Array.from({ length: 108 }, (_, cell) => cell))
})

test('of a table that is too large the rest is left out, and counted', () => {
  const large = universe([integers('a', 200), integers('b', 150)])
  const measurement: Measurement = {
    id: '1.0',
    query: marginal(['a', 'b']),
    law: { kind: 'laplace', scale: rational(1) },
    values: new Float64Array(30_000).fill(2),
  }
  const past = { universe: large, measurements: [measurement], records: 60_000 }
  const model = fitKernel(past, { alpha: 100, prior: [], mostAnswers: 30, random: seededBits(1).uniform })
  expect(model.parameters.answers).toBe(30)
  expect(model.warnings).toEqual([expect.stringContaining('29,970 of 30,000')])
})
