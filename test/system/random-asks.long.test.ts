import { test } from 'vitest'
import { promise } from '../support/metered.ts'
import { randomAsks } from '../support/random-asks.ts'

// With random-asks-rho.long.test.ts 10,000 asks, over 500 tables: about a minute each, side by side.
test('8,000 random questions and releases in any order never spend more than a cap, and free answers repeat', () =>
  randomAsks(promise, { tables: 400 }))
