import { test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { promise } from '../support/metered.ts'
import { randomAsks } from '../support/random-asks.ts'

const privacy = { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' as const }

// With random-asks.test.ts 10,000 asks, over 500 tables: about a minute each, side by side.
test(
  '2,000 random questions and releases in any order never spend more than a cap in ρ, and free answers repeat',
  () => randomAsks(privacy, { tables: 100 }),
  1_800_000,
)
