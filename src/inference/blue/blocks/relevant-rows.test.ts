import fc from 'fast-check'
import { expect, test } from 'vitest'
import { integers } from '../../../../test/support/estimates.ts'
import { queryOver } from '../../../../test/support/queries.ts'
import { seededBits } from '../../../evaluation/index.ts'
import { rational } from '../../../numeric/index.ts'
import {
  answerSize,
  type Grouping,
  type LinearQuery,
  type Measurement,
  marginal,
  marginalOver,
} from '../../../query/index.ts'
import { type Universe, universe } from '../../../schema/index.ts'
import { lawOf } from '../../error-law/law.ts'
import { compile, Shapes } from '../compile.ts'
import { WholeHistory } from '../whole-history.ts'
import { BlockIndex } from './block-index.ts'
import { BlockReader } from './block-reader.ts'
import { RelevantRows } from './relevant-rows.ts'

const u = universe([integers('a', 6), integers('b', 5), integers('c', 4)])
const names = u.attributes.map(({ name }) => name)

/** All codes in groups, in ranges or not. */
const grouping = (attribute: string, size: number): fc.Arbitrary<Grouping> =>
  fc.oneof(
    fc.constant({ attribute }),
    fc.array(fc.nat(2), { minLength: size, maxLength: size }).map((marks) => ({
      attribute,
      groups: [0, 1, 2]
        .map((g) => ({ kind: 'set' as const, codes: [...marks.keys()].filter((code) => marks[code] === g) }))
        .filter(({ codes }) => codes.length > 0),
    })),
  )
const range = (size: number) =>
  fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).map(([x, y]) => ({
    kind: 'interval' as const,
    from: Math.min(x, y),
    to: Math.max(x, y),
  }))
/** Groups along one or two attributes, under no condition or one. */
const table: fc.Arbitrary<LinearQuery> = fc
  .record({
    by: fc
      .tuple(...u.attributes.map(({ name, size }) => grouping(name, size)))
      .chain((all) => fc.subarray(all, { minLength: 1, maxLength: 2 })),
    where: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      fc.integer({ min: 0, max: 2 }).chain((i) => range(u.attributes[i]!.size).map((r) => ({ [names[i]!]: r }))),
    ),
  })
  .map(({ by, where }) => ({ by, terms: [{ coefficient: 1, factors: where }], step: rational(1) }))
const scenario = fc.record({
  queries: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: table },
      { weight: 2, arbitrary: fc.subarray(names, { maxLength: 1 }).map((list) => marginal(list)) },
      queryOver(u),
    ),
    { minLength: 1, maxLength: 7 },
  ),
  scales: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 7, maxLength: 7 }),
  values: fc.array(fc.integer({ min: -9, max: 99 }), { minLength: 30, maxLength: 30 }),
  asked: fc.array(fc.tuple(fc.subarray(names), range(6), range(5), range(4)), { minLength: 1, maxLength: 3 }),
})

const filled = (query: LinearQuery, values: readonly number[], over: Universe) =>
  Float64Array.from({ length: answerSize(query, over) }, (_, i) => values[i % values.length]!)

test('what is left out as irrelevant does not change an estimate, and much is', () => {
  const seen = { told: 0, fewer: 0, not: 0 }
  const { uniform: random } = seededBits(3)
  fc.assert(
    fc.property(scenario, ({ queries, scales, values, asked }) => {
      const shapes = new Shapes()
      const [whole, marginals] = [0, 1].map(() => new WholeHistory(u, { random }, undefined, shapes))
      const blocks = new BlockIndex(new BlockReader(u, shapes))
      for (const [i, query] of queries.entries()) {
        const law = { kind: 'laplace', scale: rational(scales[i]!) } as const
        const measurement: Measurement = { id: `${i}.0`, query, law, values: filled(query, values, u) }
        whole!.append(measurement)
        if (marginalOver(query)) marginals!.append(measurement)
        else blocks.add(measurement, lawOf(law)!)
      }
      const relevant = new RelevantRows(blocks.all, marginals!.marginalPlaces, shapes)
      const numbers = [...blocks.all].reduce((sum, block) => sum + block.values.length, 0)
      for (const [list, ...ranges] of asked) {
        const factors = Object.fromEntries(list.map((name) => [name, ranges[names.indexOf(name)]!]))
        const question: LinearQuery = { by: [], terms: [{ coefficient: 1, factors }], step: rational(1) }
        const rows = relevant.rowsFor(compile(question, u, shapes))
        const [own, all] = [marginals!.beside(rows, 0).estimate(question), whole!.estimate(question)]
        expect(own.estimable).toBe(all.estimable)
        if (!own.estimable || !all.estimable) {
          seen.not++
          continue
        }
        seen.told++
        if (rows.length < numbers / 2) seen.fewer++
        // Both are right to 10^-11 of the numbers on the way (blue.md, section 5).
        const size = 100 * 30
        expect(Math.abs(own.estimate - all.estimate)).toBeLessThan(1e-9 * size)
        expect(Math.abs(own.variance - all.variance)).toBeLessThan(1e-9 * all.variance)
      }
    }),
    { numRuns: 300 },
  )
  expect(Math.min(seen.told, seen.not, seen.fewer)).toBeGreaterThan(40)
})
