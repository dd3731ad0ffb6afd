import { rational } from '../../src/numeric/index.ts'
import { countAll, marginal, type NoiseLaw } from '../../src/query/index.ts'
import { type Attribute, attribute } from '../../src/schema/index.ts'
import type { Create, Purchase, Reserve } from '../../src/trusted/ledger/index.ts'

/** One attribute of every kind. */
export const attributes: readonly Attribute[] = [
  attribute({ kind: 'values', name: 'sex', values: ['Female', 'Male'], other: false, closed: true }),
  attribute({ kind: 'integer', name: 'age', low: 17, high: 90, closed: false }),
  attribute({ kind: 'decimal', name: 'pay', low: rational(0), high: rational(5), step: rational(1, 4), closed: false }),
  attribute({
    kind: 'bins',
    name: 'rent',
    low: rational(0),
    high: rational(500),
    width: null,
    edges: [0, 100, 500].map((edge) => rational(edge)),
    stated: [rational(60), rational(200)],
    closed: false,
  }),
  attribute({ kind: 'boolean', name: 'member', closed: true }),
  attribute({
    kind: 'date',
    name: 'born',
    from: '1900-01-01',
    to: '1999-12-31',
    by: 'year',
    format: 'YYYY-MM-DD',
    closed: false,
  }),
]

export const create: Create = {
  kind: 'create',
  format: 1,
  dataset: 'census',
  privacy: {
    unit: { kind: 'row' },
    neighbours: 'add-remove',
    epsilon: rational(1),
    delta: rational(0),
    composition: 'pure',
  },
  attributes,
  fingerprint: 'f'.repeat(64),
}

export const laplace = (num: number, den = 1): NoiseLaw => ({ kind: 'laplace', scale: rational(num, den) })

/** A purchase of COUNT(*). */
export const count: Purchase = { query: countAll, law: laplace(10) }
/** A purchase of two numbers. */
export const bySex: Purchase = { query: marginal(['sex']), law: laplace(10) }

export const reserve = (...purchases: Purchase[]): Reserve => ({
  kind: 'reserve',
  analyst: null,
  statement: 'SELECT COUNT(*) FROM census',
  purchases,
})
