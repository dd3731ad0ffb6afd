import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attribute, type Universe, universe } from '../../../schema/index.ts'
import { maxTerms, Work } from '../work.ts'
import { type Box, boxes } from './boxes.ts'
import { and, is, not, or, type Predicate } from './predicate.ts'
import { complement, fromCodes, type Ranges } from './ranges.ts'

const sizes = [4, 3, 2, 5, 3]
const ofSizes = (list: readonly number[]): Universe =>
  universe(list.map((size, i) => attribute({ kind: 'integer', name: `a${i}`, low: 1, high: size, closed: true })))
const small = ofSizes(sizes)

/** All cells of a small universe. */
const cells = (list: readonly number[]): number[][] =>
  list.reduce<number[][]>((all, size) => all.flatMap((c) => Array.from({ length: size }, (_, i) => [...c, i])), [[]])

const all = cells(sizes)

const has = (r: Ranges, code: number) => r.some((from, i) => i % 2 === 0 && from <= code && code <= r[i + 1]!)

/** The obvious twin: SQL's three-valued logic at one cell. */
function slow(p: Predicate, cell: readonly number[]): boolean | null {
  switch (p.kind) {
    case 'constant':
      return p.value
    case 'leaf': {
      const code = cell[p.attribute]!
      return has(p.true, code) ? true : has(p.false, code) ? false : null
    }
    case 'joint': {
      const at = p.attributes.reduce((sum, index) => sum * sizes[index]! + cell[index]!, 0)
      return p.truth[at]! < 0 ? null : p.truth[at] === 1
    }
    case 'not': {
      const of = slow(p.of, cell)
      return of === null ? null : !of
    }
    case 'is':
      return slow(p.of, cell) === p.truth
    default: {
      const values = p.of.map((part) => slow(part, cell))
      const decisive = p.kind === 'or'
      return values.includes(decisive) ? decisive : values.includes(null) ? null : !decisive
    }
  }
}

const leaf = fc.nat(sizes.length - 1).chain((at) =>
  fc
    .array(fc.constantFrom('true', 'false', 'null'), { minLength: sizes[at]!, maxLength: sizes[at]! })
    .map((truths): Predicate => {
      const codes = (truth: string) => fromCodes(truths.flatMap((t, code) => (t === truth ? [code] : [])))
      return { kind: 'leaf', attribute: at, true: codes('true'), false: codes('false') }
    }),
)
const joint = fc.uniqueArray(fc.nat(sizes.length - 1), { minLength: 2, maxLength: 3 }).chain((attributes) => {
  const cells = attributes.reduce((n, index) => n * sizes[index]!, 1)
  return fc
    .array(fc.constantFrom(-1, 0, 1), { minLength: cells, maxLength: cells })
    .map((truth): Predicate => ({ kind: 'joint', attributes, truth: Int8Array.from(truth) }))
})
const constant = fc.constantFrom<Predicate>(
  ...[true, false, null].map((value) => ({ kind: 'constant', value }) as const),
)
const { predicate } = fc.letrec<{ predicate: Predicate }>((tie) => ({
  predicate: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    { weight: 6, arbitrary: leaf },
    { weight: 1, arbitrary: constant },
    { weight: 1, arbitrary: joint },
    { weight: 4, arbitrary: fc.array(tie('predicate'), { minLength: 1, maxLength: 4 }).map((of) => and(...of)) },
    { weight: 4, arbitrary: fc.array(tie('predicate'), { minLength: 1, maxLength: 4 }).map((of) => or(...of)) },
    { weight: 2, arbitrary: tie('predicate').map(not) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(true, false, null), tie('predicate')).map(([t, of]) => is(t, of)),
    },
  ),
}))

const inside = (box: Box, cell: readonly number[]) => [...box].every(([at, codes]) => has(codes, cell[at]!))

test('boxes are disjoint, and together the cells where the condition is true', () => {
  fc.assert(
    fc.property(predicate, (p) => {
      const found = boxes(p, small, new Work())
      const covered = all.map((cell) => found.filter((box) => inside(box, cell)).length)
      expect(covered).toEqual(all.map((cell) => (slow(p, cell) === true ? 1 : 0)))
    }),
    { numRuns: 500 },
  )
})

test('equal conditions have equal boxes, however they are written', () => {
  fc.assert(
    fc.property(predicate, predicate, (p, q) => {
      const written = (x: Predicate) => boxes(x, small, new Work())
      expect(written(or(p, q))).toEqual(written(or(q, p)))
      expect(written(not(and(not(p), not(q))))).toEqual(written(or(q, and(p, or(p, q)))))
    }),
    { numRuns: 200 },
  )
})

const equals = (at: number, code: number): Predicate => ({
  kind: 'leaf',
  attribute: at,
  true: [code, code],
  false: complement([code, code], 4),
})

test('few boxes: one for a conjunction or one attribute, k for alternatives on k attributes', () => {
  const wide = ofSizes([4, 4, 4, 4, 4, 4])
  const boxCount = (p: Predicate) => boxes(p, wide, new Work()).length
  expect(boxCount(and(equals(0, 1), not(equals(1, 2)), equals(2, 3)))).toBe(1)
  expect(boxCount(or(equals(0, 1), equals(0, 3)))).toBe(1)
  expect(boxCount(or(...[0, 1, 2, 3, 4, 5].map((at) => equals(at, 1))))).toBe(6)
  expect(boxCount(and(equals(0, 1), not(equals(0, 1))))).toBe(0)
  // Asking for attribute 3 first gives 3 boxes; in the order of the universe it would take more.
  const bySelector = or(
    and(equals(3, 0), equals(0, 1)),
    and(equals(3, 1), equals(1, 1)),
    and(equals(3, 2), equals(2, 1)),
  )
  expect(boxCount(bySelector)).toBe(3)
})

/** (a0 or a1) and (a2 or a3) and …: 2^pairs boxes at least. */
const pairs = (n: number) => and(...Array.from({ length: n }, (_, i) => or(equals(2 * i, 1), equals(2 * i + 1, 2))))

test('the limit is on the number of boxes, and says how many were needed', () => {
  const wide = ofSizes(new Array(100).fill(4))
  expect(boxes(pairs(9), wide, new Work())).toHaveLength(512)
  expect(() => boxes(pairs(10), wide, new Work())).toThrowError(
    expect.objectContaining({ code: 'too-many-terms', facts: { terms: 1024, limit: maxTerms } }),
  )
})

test('a condition that would take too long to count is refused as well', () => {
  const wide = ofSizes(new Array(100).fill(4))
  const far = and(...Array.from({ length: 50 }, (_, i) => or(equals(i, 1), equals(99 - i, 2))))
  expect(() => boxes(far, wide, new Work())).toThrowError(
    expect.objectContaining({ code: 'too-many-terms', facts: { terms: `more than ${maxTerms}`, limit: maxTerms } }),
  )
})
