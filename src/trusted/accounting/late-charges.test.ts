import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { rational } from '../../numeric/index.ts'
import type { Universe } from '../../schema/index.ts'
import type { MeasurementCharge } from './charge.ts'
import { openAccount } from './open-account.ts'
import { Purse } from './purse.ts'
import { WorstCell } from './worst-cell/worst-cell.ts'

const privacy = { unit: { kind: 'row' }, neighbours: 'add-remove' } as const
const charge = (u: Universe): fc.Arbitrary<MeasurementCharge> =>
  fc.record({
    kind: fc.constant('measurement' as const),
    query: queryOver(u, 'grouped'),
    law: fc
      .integer({ min: 20, max: 5000 })
      .map((variance) => ({ kind: 'gaussian' as const, variance: rational(variance) })),
  })
const cases = smallUniverse(3, [2, 3]).chain((universe) =>
  fc.record({
    universe: fc.constant(universe),
    batches: fc.array(fc.array(charge(universe), { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
  }),
)
const inBoth = { epsilon: Number.POSITIVE_INFINITY, rho: 0 }

test('whoever asks for ρ late, or tries charges in between, is told what an account in ρ says', () => {
  const seen = { late: 0, more: 0 }
  fc.assert(
    fc.property(cases, fc.nat(5), ({ universe, batches }, from) => {
      const purse = new Purse({ universe, privacy })
      const account = openAccount({ universe, privacy, currency: 'rho' })
      for (const [i, batch] of batches.entries()) {
        if (i >= from) {
          expect(purse.spent(inBoth).rho).toBe(account.spent())
          expect(purse.with(batch, inBoth).rho).toBe(account.with(batch, Number.POSITIVE_INFINITY))
        }
        purse.add(batch)
        account.add(batch)
      }
      const { rho } = purse.spent(inBoth)
      expect(rho).toBe(account.spent())
      expect(purse.exhibit().rho).toBe(account.exhibit())
      if (from >= batches.length && rho > 0) seen.late++
      if (from < batches.length && rho > 0) seen.more++
    }),
    { numRuns: 100 },
  )
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(10)
})

test('charges that are covered in ρ are not charged there', () => {
  fc.assert(
    fc.property(cases, ({ universe, batches }) => {
      const [purse, some] = [new Purse({ universe, privacy }), new Purse({ universe, privacy })]
      for (const [i, batch] of batches.entries()) {
        purse.add(batch, i % 2 === 0 ? 'covered in ρ' : undefined)
        if (i % 2 === 1) some.add(batch)
      }
      expect(purse.spent(inBoth).rho).toBe(some.spent(inBoth).rho)
    }),
    { numRuns: 50 },
  )
})

test('lists of charges that begin alike stay apart, whichever grows first', () => {
  fc.assert(
    fc.property(cases, ({ universe, batches }) => {
      const terms = { universe, privacy, currency: 'rho' } as const
      const anew = (charges: readonly MeasurementCharge[]) => WorstCell.none(terms).and(charges)
      let shared = WorstCell.none(terms)
      const before: MeasurementCharge[] = []
      for (const batch of batches) {
        const [one, other, same] = [shared.and(batch), shared.and(batches[0]!), shared]
        expect(other.charges).toEqual([...before, ...batches[0]!])
        expect(other.settle()).toBe(anew([...before, ...batches[0]!]).settle())
        expect(same.charges).toEqual(before)
        before.push(...batch)
        expect(one.charges).toEqual(before)
        expect(one.settle()).toBe(anew(before).settle())
        shared = one
      }
    }),
    { numRuns: 50 },
  )
})
