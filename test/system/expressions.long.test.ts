import { expect, test } from 'vitest'
import { expressionOracle } from '../support/expression-oracle.ts'

test('expressions are what PostgreSQL says, at every cell of 1500 random ones', async () => {
  const oracle = await expressionOracle()
  try {
    expect(await oracle.compare(1000, 1500)).toBeGreaterThan(800)
  } finally {
    await oracle.stop()
  }
})
