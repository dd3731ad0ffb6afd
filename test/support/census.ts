import { rational } from '../../src/numeric/index.ts'
import { attribute, universe } from '../../src/schema/index.ts'

/** A universe with every kind of attribute, for tests that read SQL. */
export const census = universe([
  attribute({ kind: 'integer', name: 'age', low: 17, high: 90, closed: false }),
  attribute({
    kind: 'decimal',
    name: 'income',
    low: rational(0),
    high: rational(200_000),
    step: rational(1000),
    closed: false,
  }),
  attribute({ kind: 'values', name: 'sex', values: ['Female', 'Male'], other: false, closed: true }),
  attribute({ kind: 'values', name: 'state', values: ['NY', 'GU', 'CA', '1'], other: true, closed: false }),
  attribute({
    kind: 'date',
    name: 'born',
    from: '1990-05-01',
    to: '1992-04-30',
    by: 'month',
    format: 'YYYY-MM-DD',
    closed: false,
  }),
  attribute({ kind: 'boolean', name: 'Member', closed: false }),
  attribute({ kind: 'integer', name: 'Rank', low: 0, high: 3, closed: true }),
  attribute({ kind: 'integer', name: 'rank', low: 0, high: 3, closed: true }),
])
