import { describe, expect, test } from 'vitest'
import { expressionOracle } from '../support/expression-oracle.ts'
import { withoutPostgres } from '../support/postgres.ts'

describe.skipIf(await withoutPostgres('expressions compared with PostgreSQL'))('an expression of attributes', () => {
  test('is what PostgreSQL says, at every cell of 120 random ones', async () => {
    const oracle = await expressionOracle()
    try {
      expect(await oracle.compare(1, 120)).toBeGreaterThan(60)
    } finally {
      await oracle.stop()
    }
  })
})
