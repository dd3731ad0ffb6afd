import { test } from 'vitest'
import { checkFreeTable } from './free-table.ts'

test.each(['maxent', 'mixture'] as const)('%s costs nothing, opens no data and says where it comes from', (method) =>
  checkFreeTable(method),
)
