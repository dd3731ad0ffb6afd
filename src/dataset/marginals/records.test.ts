import { expect, test } from 'vitest'
import { metered, promise } from '../../../test/support/metered.ts'
import type { Session } from '../../answer/index.ts'
import { seededBits } from '../../evaluation/index.ts'
import { laplaceHalfWidth, laplaceVariance, rational } from '../../numeric/index.ts'
import type { MarginalsPurchase } from './options.ts'
import { recordsFor } from './records.ts'

const purchase: MarginalsPurchase = {
  marginals: [['age']],
  budget: { epsilon: rational(1, 10) },
  method: 'ireduct',
  floor: { kind: 'share', share: 0.0001 },
  records: { kind: 'bought', share: rational(1, 50) },
}

/** Where the history tells the number of records by one answer of this scale. */
async function settled(
  known: { estimate: number; scale: number } | undefined,
  change: Partial<MarginalsPurchase> = {},
) {
  const { book } = await metered({ privacy: promise })
  const told = known && {
    estimate: known.estimate,
    made: { variance: laplaceVariance(known.scale) },
    errorLaw: () => ({ halfWidth: (confidence: number) => laplaceHalfWidth(known.scale, confidence) }),
  }
  const knowledge = { about: () => told && [told] } as unknown as Session['knowledge']
  const session: Pick<Session, 'book' | 'knowledge' | 'quota' | 'random'> = {
    book,
    knowledge,
    quota: null,
    random: seededBits(1).uniform,
  }
  return recordsFor({ ...purchase, ...change }, session as Session)
}

test('the number of records is bought where it is not known, and something depends on it', async () => {
  expect(await settled(undefined)).toEqual({ kind: 'bought', share: rational(1, 50) })
  const even: Partial<MarginalsPurchase> = { floor: { kind: 'count', count: 30 } }
  expect(await settled(undefined, { ...even, method: 'iresamp' })).toMatchObject({ kind: 'bought' })
  expect(await settled(undefined, { method: 'two-phase' })).toMatchObject({ kind: 'bought' })
  for (const method of ['laplace', 'two-phase'] as const)
    expect(await settled(undefined, { ...even, method })).toEqual({ kind: 'unneeded' })
})

test('it is taken from the history where that tells it within a tenth', async () => {
  // 95% of noise of scale 300 are within 899.
  expect(await settled({ estimate: 9000, scale: 300 })).toEqual({ kind: 'known', count: 9000, from: 'history' })
})

test('or about as well as it would be bought, so that who is refused and gives more does not pay for it twice', async () => {
  // A fiftieth of 0.1 buys it with noise of scale 500.
  expect(await settled({ estimate: 9000, scale: 990 })).toMatchObject({ kind: 'known', count: 9000 })
  expect(await settled({ estimate: 9000, scale: 1010 })).toMatchObject({ kind: 'bought', roughly: 9000 })
  expect(await settled({ estimate: 100, scale: 990 })).toMatchObject({ kind: 'known', count: 100 })
  // Nothing can be computed from fewer than none.
  expect(await settled({ estimate: -3, scale: 1 })).toMatchObject({ kind: 'bought' })
})
