import fc from 'fast-check'
import { expect, test } from 'vitest'
import { one, rational } from '../../numeric/index.ts'
import { type LinearQuery, type Measurement, weightAt } from '../../query/index.ts'
import { attribute, universe } from '../../schema/index.ts'
import { covariance, Features, singleCovariance } from './feature.ts'
import { fitKernel } from './fit.ts'
import { priorOf } from './prior/prior.ts'

const sizes = [4, 3, 2]
const u = universe(
  sizes.map((size, i) => attribute({ kind: 'integer', name: 'abc'[i]!, low: 0, high: size - 1, closed: true })),
)
const cells = sizes.reduce<number[][]>(
  (all, size) => all.flatMap((cell) => Array.from({ length: size }, (_, c) => [...cell, c])),
  [[]],
)

/** Any function of one attribute, also one that is no range and has negative values. */
const factorOver = (size: number) =>
  fc.oneof(
    fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).map(([x, y]) => ({
      kind: 'interval' as const,
      from: Math.min(x, y),
      to: Math.max(x, y),
    })),
    fc.subarray(Array.from({ length: size }, (_, code) => code)).map((codes) => ({ kind: 'set' as const, codes })),
    fc
      .array(fc.integer({ min: -3, max: 3 }), { minLength: size, maxLength: size })
      .map((values) => ({ kind: 'table' as const, values })),
  )
const termOf = fc
  .tuple(fc.integer({ min: -2, max: 2 }), ...sizes.map((size) => fc.option(factorOver(size), { nil: undefined })))
  .map(([coefficient, ...factors]) => ({
    coefficient: coefficient as number,
    factors: Object.fromEntries(factors.flatMap((f, i) => (f === undefined ? [] : [['abc'[i]!, f]]))),
  }))
const queryOf = fc
  .array(termOf, { minLength: 1, maxLength: 6 })
  .map((terms) => ({ by: [], terms, step: rational(1, 2) }) as LinearQuery)
const priorTables = fc.tuple(
  ...sizes.map((size) =>
    fc.option(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: size, maxLength: size }), { nil: undefined }),
  ),
)
const shareAt = (tables: readonly (readonly number[] | undefined)[], cell: readonly number[]): number =>
  tables.reduce((share, table, i) => {
    const all = table ?? Array.from({ length: sizes[i]! }, () => 1)
    return (share * all[cell[i]!]!) / all.reduce((a, b) => a + b, 0)
  }, 1)

test('the kernel is the covariance over all cells, for any terms and any product prior', () => {
  fc.assert(
    fc.property(queryOf, queryOf, priorTables, (q, r, tables) => {
      const features = new Features(u, priorOf(u, tables))
      const mean = (of: (cell: readonly number[]) => number) =>
        cells.reduce((sum, cell) => sum + shareAt(tables, cell) * of(cell), 0)
      const [f, g] = [q, r].map((query) => (cell: readonly number[]) => weightAt(query, u, cell) / 2)
      const expected = mean((cell) => f!(cell) * g!(cell)) - mean(f!) * mean(g!)
      const [x, y] = [features.of(q), features.of(r)]
      // Weights are below 6·2·27 each: rounding is far below 10⁻⁹.
      expect(Math.abs(covariance(x, y) - expected)).toBeLessThan(1e-9)
      expect(Math.abs(x.mean - mean(f!))).toBeLessThan(1e-10)
    }),
  )
})

test('what the kernel has of single attributes is the covariance of what functions are, on average, for each of their codes', () => {
  fc.assert(
    fc.property(queryOf, queryOf, priorTables, (q, r, tables) => {
      const features = new Features(u, priorOf(u, tables))
      const mean = (of: (cell: readonly number[]) => number, among = cells) => {
        const [sum, all] = among.reduce(
          ([sum, all], cell) => [sum! + shareAt(tables, cell) * of(cell), all! + shareAt(tables, cell)],
          [0, 0],
        )
        return sum! / all!
      }
      const [f, g] = [q, r].map((query) => (cell: readonly number[]) => weightAt(query, u, cell) / 2)
      const given = (of: typeof f, i: number, code: number) =>
        mean(
          of!,
          cells.filter((cell) => cell[i] === code),
        )
      const expected = sizes.reduce(
        (sum, _, i) => sum + mean((cell) => given(f, i, cell[i]!) * given(g, i, cell[i]!)) - mean(f!) * mean(g!),
        0,
      )
      // As above: rounding is far below 10⁻⁹.
      expect(Math.abs(singleCovariance(features.of(q), features.of(r)) - expected)).toBeLessThan(1e-9)
    }),
  )
})

const count = (from: number, to: number): LinearQuery => ({
  by: [],
  terms: [{ coefficient: 1, factors: { a: { kind: 'interval', from, to } } }],
  step: one,
})
const measured = (query: LinearQuery, value: number, scale: number, id = '1'): Measurement => ({
  id,
  query,
  law: { kind: 'laplace', scale: rational(scale) },
  values: Float64Array.of(value),
})
const random = () => 0.5

test('without trust in the answers it tells the prior, without doubt in them the answers', () => {
  const past = { universe: u, measurements: [measured(count(0, 1), 700, 10)], records: 1000 }
  const [least] = fitKernel(past, { alpha: 1e-6, prior: [], random }).estimates(count(0, 1))
  expect(least!.estimate).toBeCloseTo(500, 3)
  const [most] = fitKernel(past, { alpha: 1e6, prior: [], random }).estimates(count(0, 1))
  expect(most!.estimate).toBeCloseTo(700, 3)
  // Codes that nobody asked about share what is left, as the prior has it.
  const [other] = fitKernel(past, { alpha: 1e6, prior: [], random }).estimates(count(3, 3))
  expect(other!.estimate).toBeCloseTo(150, 3)
})
