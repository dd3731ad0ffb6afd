import { expect, test } from 'vitest'
import type { Policy } from '../../schema/index.ts'
import type { PolicyReport } from '../../trusted/engine/inspect/index.ts'
import { warningsOf } from './check-warnings.ts'

const warnings = (beyondUnit: number) =>
  warningsOf({ rows: 1000, beyondUnit, attributes: [] } as unknown as PolicyReport, {} as Policy)

test('rows that do not count are worth a warning where they are many', () => {
  expect(warnings(50)).toEqual([])
  expect(warnings(570)).toMatchObject([{ message: expect.stringContaining('570 rows (57%)') }])
})

test('texts with a time of day are worth the statement that keeps the day', () => {
  const attributes = [{ name: 'seen at', nulls: 0, unparsable: 900, unlisted: 0, clamped: 0, moved: 0 }]
  const universe = { attributes: [{ kind: 'date', name: 'seen at', closed: false }], index: new Map([['seen at', 0]]) }
  const found = warningsOf(
    { rows: 1000, beyondUnit: 0, attributes } as unknown as PolicyReport,
    { universe } as unknown as Policy,
  )
  expect(found).toMatchObject([{ hint: expect.stringContaining('REPLACE (left(\\"seen at\\", 10) AS \\"seen at\\")') }])
})
