import { expect, test } from 'vitest'
import { census } from '../../../test/support/census.ts'
import { rational } from '../../numeric/index.ts'
import { parseSql } from '../../query/index.ts'
import { zeroSpending } from '../../trusted/accounting/index.ts'
import { fromMeasurement } from '../known/known-part.ts'
import { probabilityFirst } from './first.ts'

const scale = 50

async function likely(values: readonly number[], order: string) {
  const sql = `SELECT sex, COUNT(*) FROM census GROUP BY sex ORDER BY COUNT(*) ${order} LIMIT 1`
  const statement = await parseSql(sql, { dataset: 'census', universe: census })
  const law = { kind: 'laplace', scale: rational(scale) } as const
  const part = fromMeasurement(
    { id: 'a', query: statement.parts[0]!, law, values: Float64Array.from(values) },
    zeroSpending,
  )
  return probabilityFirst(statement, [part])!
}

// Of two numbers with Laplace errors b, d apart, the larger estimate is the larger with 1 - (1 + d/2b)·exp(-d/b)/2.
test.each([0, 20, 100, 400])(
  'of two estimates %i apart the larger is first as often as two Laplace laws say',
  async (d) => {
    const formula = 1 - ((1 + d / (2 * scale)) * Math.exp(-d / scale)) / 2
    expect((await likely([500 + d, 500], 'DESC'))(0)).toBeCloseTo(formula, 2)
    expect((await likely([500 + d, 500], 'DESC'))(1)).toBeCloseTo(1 - formula, 2)
    expect((await likely([500, 500 + d], 'ASC'))(0)).toBeCloseTo(formula, 2)
  },
)
