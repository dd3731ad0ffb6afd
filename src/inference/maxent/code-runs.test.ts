import { expect, test } from 'vitest'
import { integers } from '../../../test/support/estimates.ts'
import { seededBits } from '../../evaluation/index.ts'
import { one, rational } from '../../numeric/index.ts'
import type { LinearQuery, Measurement } from '../../query/index.ts'
import { universe } from '../../schema/index.ts'
import { CodeRuns } from './code-runs.ts'
import { fitMaxent } from './fit.ts'

const u = universe([integers('amount', 5000), integers('kind', 3)])
const above = (from: number, kind?: number): LinearQuery => ({
  by: [],
  terms: [
    {
      coefficient: 1,
      factors: {
        amount: { kind: 'interval', from, to: 4999 },
        ...(kind !== undefined && { kind: { kind: 'interval', from: kind, to: kind } as const }),
      },
    },
  ],
  step: one,
})
const answer = (query: LinearQuery, ...values: number[]): Measurement => ({
  id: '1.0',
  query,
  law: { kind: 'laplace', scale: rational(5) },
  values: Float64Array.from(values),
})
const measurements = [
  answer(above(1000), 600),
  answer(above(4000, 1), 150),
  answer({ ...above(2000), by: [{ attribute: 'kind' }] }, 100, 200, 100),
]

test('codes that no answer tells apart are one run, and a code that is a group is one of its own', () => {
  const runs = new CodeRuns(u, measurements)
  expect(runs.universe.attributes.map(({ size }) => size)).toEqual([4, 3])
  expect(runs.answers(measurements)[1]!.query.terms[0]!.factors).toEqual({
    amount: { kind: 'interval', from: 3, to: 3 },
    kind: { kind: 'interval', from: 1, to: 1 },
  })
  const table = answer({ ...above(0), by: [{ attribute: 'amount' }] })
  expect(new CodeRuns(u, [...measurements, table]).universe).toBe(u)
})

test('what is said of a run is said of each of its codes', () => {
  const runs = new CodeRuns(u, measurements)
  const coarse = Float64Array.from({ length: 12 }, (_, cell) => cell)
  const fine = runs.spread([0, 1], coarse)
  expect(fine).toHaveLength(15_000)
  for (const [code, run] of [
    [0, 0],
    [999, 0],
    [1000, 1],
    [2000, 2],
    [3999, 2],
    [4000, 3],
    [4999, 3],
  ] as const)
    expect([...fine.subarray(3 * code, 3 * code + 3)]).toEqual([3 * run, 3 * run + 1, 3 * run + 2])
})

test('codes are drawn from their run as the prior has them', () => {
  const runs = new CodeRuns(u, measurements)
  const prior = [
    Float64Array.from({ length: 5000 }, (_, code) => (code < 500 ? 3 : 1) / 6000),
    new Float64Array(3).fill(1 / 3),
  ]
  expect(runs.shares(prior)[0]!.map((share) => Math.round(6000 * share))).toEqual(
    Float64Array.of(2000, 1000, 2000, 1000),
  )
  const n = 10_000
  const [codes] = runs.codes([new Int32Array(n), new Int32Array(n)], prior, seededBits(1).uniform)
  // Three quarters of the first run's 1,000 codes: 4.89 standard deviations of a share of n draws are 0.022.
  expect(Math.abs(codes!.filter((code) => code < 500).length / n - 0.75)).toBeLessThan(0.022)
  expect(codes!.every((code) => code < 1000)).toBe(true)
})

test.each(['exact', 'sampled'] as const)('a fit over runs answers questions about codes: %s', async (solver) => {
  const past = { universe: u, measurements, records: 1000 }
  const { table } = await fitMaxent(past, {
    alpha: 10,
    prior: [],
    solver,
    chains: 20_000,
    random: seededBits(2).uniform,
  })
  expect(table.universe).toBe(u)
  // Answers are met, up to their noise; half of a run has half of its records. 100,000 records of a sample know a share to 0.2%.
  for (const [query, count] of [
    [above(1000), 600],
    [above(2000), 400],
    [above(1500), 500],
    [above(500), 800],
  ] as const)
    expect(Math.abs(table.answers(query)[0]! - count)).toBeLessThan(12)
})
