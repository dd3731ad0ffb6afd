import { test } from 'vitest'
import { rational } from '../../src/numeric/index.ts'
import { promise } from '../support/metered.ts'
import { randomAsks } from '../support/random-asks.ts'

// Twenty asks a table; 10,000 of them are in the long suite.
test('random questions and releases in any order never spend more than a cap, and free answers repeat', () =>
  randomAsks(promise, { tables: 3 }))

test('the same in ρ', () =>
  randomAsks({ ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' }, { tables: 3 }))
