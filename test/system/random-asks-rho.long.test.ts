import { test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { promise } from '../support/metered.ts'
import { randomAsks } from '../support/random-asks.ts'

test('2,000 random questions and releases in any order never spend more than a cap in ρ, and free answers repeat', () =>
  randomAsks({ ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' }, { tables: 100 }))
