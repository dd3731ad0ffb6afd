import { expect, test } from 'vitest'
import { audit } from '../audit.ts'
import { marginalsMechanisms } from './marginals.ts'

// Ten such audits found lower bounds from 1.55 to 1.92, with a standard deviation of 0.13: 1 is more than five of them away.
test('a release of iReduct that claimed a quarter of its ε would be caught', async () => {
  const ireduct = marginalsMechanisms.find(({ name }) => name === 'marginals-ireduct')!
  const found = await audit({ ...ireduct, claim: { epsilon: 1, delta: 0 } }, { samples: 3000, seconds: 3600 })
  expect(found.verdict).toBe('violated')
})
