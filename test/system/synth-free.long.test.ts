import { test } from 'vitest'
import { checkFreeTable } from './free-table.ts'

test('maxent costs nothing, opens no data and says where it comes from', () => checkFreeTable('maxent'))
