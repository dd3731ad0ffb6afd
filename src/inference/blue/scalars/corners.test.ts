import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf, queryOver, smallUniverse } from '../../../../test/support/queries.ts'
import { type LinearQuery, weightAt } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { compile, Shapes } from '../compile.ts'
import { Components } from '../marginals/components.ts'
import { byCorners, Covariances } from '../marginals/covariance.ts'
import { Corners, type Listed } from './corners.ts'
import { RowsToPeel } from './peel.ts'
import { reduce } from './reduction.ts'
import { isListed, Space } from './space.ts'

/** Differences along every attribute, from the weights of all cells: what a query has at a corner. */
function differences(query: LinearQuery, u: Universe): { codes: readonly number[]; value: number }[] {
  const at = (codes: readonly number[]) => (codes.some((code) => code < 0) ? 0 : weightAt(query, u, codes))
  const along = (codes: readonly number[], axis: number): number =>
    axis === codes.length ? at(codes) : along(codes, axis + 1) - along(codes.with(axis, codes[axis]! - 1), axis + 1)
  return [...cellsOf(u)].map((codes) => ({ codes, value: along(codes, 0) }))
}

/** What full marginals over these sets of attributes know, whatever they say. */
function knowing(u: Universe, sets: readonly (readonly number[])[]): Components {
  const components = new Components(u)
  for (const attributes of sets) {
    const cells = attributes.reduce((product, place) => product * u.attributes[place]!.size, 1)
    components.add({ attributes, values: new Float64Array(cells), variance: 1 })
  }
  return components
}

const problem = smallUniverse(3, [2, 3, 4]).chain((u) =>
  fc.record({
    u: fc.constant(u),
    queries: fc.array(queryOver(u), { minLength: 1, maxLength: 12 }),
    question: queryOver(u),
    known: fc.array(fc.subarray([...u.attributes.keys()]), { maxLength: 2 }),
  }),
)

function peel<Row extends Listed>(rows: readonly Row[], isFixed: (row: Row) => boolean) {
  const all = new RowsToPeel<Row>()
  for (const row of rows) all.add(row)
  return all.peel(isFixed, () => false)
}

describe('corners', () => {
  test('are the differences of the cells that no marginal knows', () => {
    fc.assert(
      fc.property(problem, ({ u, queries, known }) => {
        const corners = new Corners(knowing(u, known))
        const isKnown = (codes: readonly number[]) =>
          known.some((set) => codes.every((code, place) => code === 0 || set.includes(place)))
        for (const query of queries) {
          const weights = compile(query, u, new Shapes())
          const list = differences(query, u).filter(({ codes, value }) => value !== 0 && !isKnown(codes))
          for (const sparse of [corners.of(weights)!, corners.asked(weights)!])
            expect([...sparse.values].sort()).toEqual(list.map(({ value }) => value).sort())
          const { at, values } = corners.of(weights)!
          for (const [k, corner] of at.entries()) expect(corners.valueAt(weights, corner)).toBe(values[k])
        }
      }),
      { numRuns: 100 },
    )
  })

  test('give the same inner products one by one, in tables, and from factors', () => {
    fc.assert(
      fc.property(problem, ({ u, queries, known }) => {
        const components = knowing(u, known)
        const corners = new Corners(components)
        const shapes = new Shapes()
        const vectors = queries.map((query) => {
          const weights = compile(query, u, shapes)
          return { weights, sparse: corners.of(weights) }
        })
        const space = new Space(components, corners)
        const factored = new Covariances(components, byCorners)
        const rows = vectors.map(() => new Float64Array(vectors.length))
        space.fillRows(vectors, vectors, rows)
        const unlisted = vectors.map(({ weights }) => ({ weights, sparse: undefined }))
        for (const [i, vector] of vectors.entries()) {
          const [one, mixed] = [new Float64Array(vectors.length), new Float64Array(vectors.length)]
          space.fill(vector, vectors, one)
          space.fill(vector, unlisted, mixed)
          // Zeros without a sign.
          expect(rows[i]!.map((x) => x + 0)).toEqual(one.map((x) => x + 0))
          expect(mixed.map((x) => x + 0)).toEqual(one.map((x) => x + 0))
          expect(factored.unknown(vector.weights, vector.weights) + 0).toBe(one[i]! + 0)
          expect(space.norm(vector)).toBe(Math.sqrt(one[i]!))
        }
      }),
      { numRuns: 100 },
    )
  })

  test('what is left of queries, few or many at once', () => {
    fc.assert(
      fc.property(problem, ({ u, queries, known }) => {
        const components = knowing(u, known)
        const corners = new Corners(components)
        const vectors = queries
          .map((query) => compile(query, u, new Shapes()))
          .map((weights) => ({ weights, sparse: corners.of(weights) }))
          .filter(isListed)
        const space = new Space(components, corners)
        const basis = vectors.slice(0, 3)
        const solutions = vectors.map((_, i) => Float64Array.from(basis, (_, b) => ((3 * i + b) % 5) - 2))
        const together = space.rests(vectors, basis, solutions)
        vectors.forEach((vector, i) => {
          const [alone] = space.rests([vector], basis, [solutions[i]!])
          expect(together[i]!.products.map((x) => x + 0)).toEqual(alone!.products.map((x) => x + 0))
          expect(together[i]!.length).toBeCloseTo(alone!.length, 9)
        })
      }),
      { numRuns: 50 },
    )
  })
})

describe('peeling', () => {
  test('takes rows with a corner that no later one has, and leaves none with one of its own', () => {
    fc.assert(
      fc.property(problem, fc.nat(3), ({ u, queries, known }, fixedCount) => {
        const corners = new Corners(knowing(u, known))
        const rows = queries
          .map((query) => compile(query, u, new Shapes()))
          .map((weights) => ({ weights, sparse: corners.of(weights) }))
          .filter(isListed)
        const [fixed, free] = [rows.slice(0, fixedCount), rows.slice(fixedCount)]
        const { peeled, core } = peel(rows, (row) => fixed.includes(row))
        expect(peeled.rows.length + core.length).toBe(free.length)
        const left = new Set(rows)
        for (const [i, row] of peeled.rows.entries()) {
          const corner = peeled.corners[i]!
          left.delete(row)
          expect(row.sparse.at).toContain(corner)
          for (const other of left) expect(other.sparse.at).not.toContain(corner)
        }
        for (const row of core)
          for (const corner of row.sparse.at)
            expect([...left].some((other) => other !== row && other.sparse.at.includes(corner))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('a question is exactly its shares of peeled rows and a rest without their corners', () => {
    fc.assert(
      fc.property(problem, fc.boolean(), ({ u, queries, question, known }, isShown) => {
        const corners = new Corners(knowing(u, known))
        const shapes = new Shapes()
        const rows = queries
          .map((query) => compile(query, u, shapes))
          .map((weights) => ({ weights, sparse: corners.of(weights) }))
          .filter(isListed)
        const { peeled } = peel(rows, () => false)
        const weights = compile(question, u, shapes)
        const {
          rows: used,
          rest,
          den,
        } = reduce({ weights, sparse: isShown ? corners.of(weights) : undefined }, peeled, corners)!
        // The rest by its terms, its corners, and from the question and its shares.
        const listed = corners.of(rest.weights)!
        const sum = new Map<number, number>()
        const add = ({ at, values }: { at: Int32Array; values: Float64Array }, times: number) => {
          for (const [k, corner] of at.entries()) sum.set(corner, (sum.get(corner) ?? 0) + times * values[k]!)
        }
        add(corners.of(weights)!, den)
        for (const { row, times } of used) add(row.sparse, -Math.round(times * den))
        const nonzero = [...sum].filter(([, value]) => value !== 0)
        expect(new Map(nonzero)).toEqual(new Map(Array.from(listed.at, (corner, k) => [corner, listed.values[k]])))
        if (isShown)
          expect(new Map(nonzero)).toEqual(
            new Map(Array.from(rest.sparse!.at, (corner, k) => [corner, rest.sparse!.values[k]])),
          )
        for (const corner of peeled.corners) expect(listed.at).not.toContain(corner)
      }),
      { numRuns: 200 },
    )
  })
})
