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
