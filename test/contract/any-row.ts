import fc from 'fast-check'
import { type Rational, rational, spansOf } from '../../src/numeric/index.ts'
import type { Factor, Integers, LinearQuery, NoiseLaw } from '../../src/query/index.ts'
import type { Held } from '../../src/trusted/accounting/index.ts'
import type { Row, Score, Selection, Sold } from '../../src/trusted/ledger/index.ts'
import { attributes } from './ledger-rows.ts'

/** Any row of any kind, well typed but not necessarily fitting any ledger. */
export const anyRow = (): fc.Arbitrary<Row> => fc.oneof(...Object.values(anyRowOf))

const text = fc.string({ unit: 'binary', maxLength: 12 })
const textOrNull = fc.option(text)
const rowNumber = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const integer = fc.maxSafeInteger()
const code = fc.nat(1000)
const fraction: fc.Arbitrary<Rational> = fc
  .tuple(fc.bigInt(), fc.bigInt({ min: 1n }))
  .map(([num, den]) => rational(num, den))

const interval = fc.record({ kind: fc.constant('interval' as const), from: code, to: code })
const set = fc.record({ kind: fc.constant('set' as const), codes: fc.array(code, { maxLength: 4 }) })
const factor: fc.Arbitrary<Factor> = fc.oneof(
  interval,
  set,
  fc.record({
    kind: fc.constant('value' as const),
    slope: integer,
    shift: integer,
    power: fc.constantFrom(1 as const, 2 as const),
    from: code,
    to: code,
  }),
  fc.record({ kind: fc.constant('table' as const), values: fc.array(integer, { maxLength: 4 }) }),
)
const query: fc.Arbitrary<LinearQuery> = fc.record({
  by: fc.array(
    fc.record(
      { attribute: text, groups: fc.array(fc.oneof(interval, set), { maxLength: 2 }) },
      { requiredKeys: ['attribute'] },
    ),
    { maxLength: 2 },
  ),
  terms: fc.array(fc.record({ coefficient: integer, factors: fc.dictionary(text, factor, { maxKeys: 3 }) }), {
    maxLength: 2,
  }),
  step: fraction,
})
const law: fc.Arbitrary<NoiseLaw> = fc.oneof(
  fraction.map((scale) => ({ kind: 'laplace' as const, scale })),
  fraction.map((variance) => ({ kind: 'gaussian' as const, variance })),
  fc.constant({ kind: 'none' as const }),
)
const purchases = fc.array(fc.record({ query, law }), { maxLength: 2 })
const selection: fc.Arbitrary<Selection> = fc.record({
  kind: fc.constant('selection' as const),
  candidates: fc.uniqueArray(fc.nat(60), { maxLength: 12 }).map(
    (places) =>
      spansOf(
        places.sort((a, b) => a - b),
        places.length,
      )!,
  ),
  weights: fc.option(fc.array(rowNumber, { maxLength: 3 })),
  rate: fraction,
})
const score: fc.Arbitrary<Score> = fc.record({ kind: fc.constant('score' as const), query: fc.nat(), law })
const sold: fc.Arbitrary<Sold> = fc.oneof(fc.record({ query, law }), selection, score)
const someAttributes = fc.subarray([...attributes], { minLength: 1 })

/** Vectors in the form that a reader gives them: BigInts only where one is 2^53 or beyond. */
export const anyIntegers = (): fc.Arbitrary<Integers> =>
  fc.oneof(
    fc
      .array(fc.oneof(integer, fc.integer({ min: -200, max: 200 })), { maxLength: 20 })
      .map((v) => Float64Array.from(v, (x) => x + 0)),
    fc
      .tuple(
        fc.array(fc.bigInt(), { maxLength: 5 }),
        fc.bigInt({ min: 2n ** 53n }),
        fc.boolean(),
        fc.array(fc.bigInt(), { maxLength: 5 }),
      )
      .map(([before, large, negative, after]) => [...before, negative ? -large : large, ...after]),
  )
const values = fc.array(anyIntegers(), { maxLength: 3 })

export const anyRowOf: { [K in Row['kind']]: fc.Arbitrary<Extract<Row, { kind: K }>> } = {
  create: fc.record({
    kind: fc.constant('create'),
    format: fc.constant(1),
    dataset: text,
    privacy: fc.record({
      unit: fc.oneof(
        fc.constant({ kind: 'row' as const }),
        fc.record({ kind: fc.constant('column' as const), column: text, rows: rowNumber }),
      ),
      neighbours: fc.constantFrom('add-remove' as const, 'replace-one' as const),
      epsilon: fraction,
      delta: fraction,
      composition: fc.constantFrom('pure' as const, 'zcdp' as const),
    }),
    attributes: someAttributes,
    fingerprint: text,
  }),
  reserve: fc.record({ kind: fc.constant('reserve'), analyst: textOrNull, statement: textOrNull, purchases }),
  record: fc.record({ kind: fc.constant('record'), reserve: rowNumber, values }),
  refine: fc.record({
    kind: fc.constant('refine'),
    analyst: textOrNull,
    statement: textOrNull,
    parent: text,
    law,
  }),
  'run-open': fc
    .record({
      kind: fc.constant('run-open' as const),
      analyst: textOrNull,
      statement: textOrNull,
      held: fc.oneof<fc.Arbitrary<Held>[]>(
        fraction.map((epsilon) => ({ epsilon })),
        fraction.map((rho) => ({ rho })),
      ),
      queries: fc.array(query, { maxLength: 2 }),
      grid: fc.option(fc.record({ first: fraction, step: fraction, count: rowNumber })),
    })
    .map(({ held, ...run }) => ({ ...run, ...held })),
  'run-close': fc.record({
    kind: fc.constant('run-close'),
    open: rowNumber,
    purchases: fc.array(sold, { maxLength: 3 }),
    values,
  }),
  void: fc.record({ kind: fc.constant('void'), reserve: rowNumber }),
  epoch: fc.record({ kind: fc.constant('epoch'), attributes: someAttributes, fingerprint: text }),
  cap: fc.record({ kind: fc.constant('cap'), epsilon: fraction, delta: fraction }),
  guards: fc.record({
    kind: fc.constant('guards'),
    guards: fc.array(fc.record({ query: text, within: fraction, confidence: fraction }), { maxLength: 3 }),
  }),
  restore: fc.record({
    kind: fc.constant('restore'),
    lost: fc.record({ seq: rowNumber, hash: text }),
    epsilon: fc.option(fraction),
    rho: fc.option(fraction),
  }),
}
