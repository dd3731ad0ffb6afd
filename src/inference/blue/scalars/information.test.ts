import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attribute, universe } from '../../../schema/index.ts'
import { Components } from '../marginals/components.ts'
import { byCells, Covariances } from '../marginals/covariance.ts'
import { Contrasts } from './contrasts.ts'
import { Information } from './information.ts'

/** Without marginals both forms of least squares have the same answer, one as large as the basis, one as the others. */
const u = universe([attribute({ kind: 'boolean', name: 'a', closed: true })])
const nothing = { terms: [], step: 1 }
const variance = fc.integer({ min: 1, max: 100 })
const solutions = (rank: number, count: number) =>
  fc.array(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: rank, maxLength: rank }), {
    minLength: count,
    maxLength: count,
  })
const problem = fc.record({ rank: fc.integer({ min: 1, max: 6 }), count: fc.nat(12) }).chain(({ rank, count }) =>
  fc.record({
    basis: fc.array(variance, { minLength: rank, maxLength: rank }),
    members: fc.array(variance, { minLength: count, maxLength: count }),
    rows: solutions(rank, count + 1),
    refined: fc.nat(rank + count - 1),
    factor: fc.constantFrom(0.25, 0.5, 2),
    portions: fc.boolean(),
  }),
)

test('as large as the basis or as all the others: the same shares', () => {
  fc.assert(
    fc.property(problem, ({ basis, members, rows, refined, factor, portions }) => {
      const expressed = rows.map((row) => ({ weights: nothing, solution: Float64Array.from(row) }))
      const question = expressed.at(-1)!
      const squares = new Information()
      for (const v of basis) squares.addBasis({ weights: nothing, variance: v })
      const list = members.map((v, j) => ({ ...expressed[j]!, variance: v }))
      // One after the other by rotations, or all anew.
      if (portions) for (const member of list) squares.addMembers([member])
      else squares.addMembers(list)
      const before = squares.shares(question)
      const fork = squares.fork()
      const variances = [...basis, ...members]
      variances[refined]! *= factor
      if (refined < basis.length) fork.refineBasis(refined, variances[refined]!)
      else fork.refineMember(refined - basis.length, variances[refined]!)
      expect(squares.shares(question)).toEqual(before)
      for (const [form, all] of [
        [squares, [...basis, ...members]],
        [fork, variances],
      ] as const) {
        const twin = new Contrasts(new Covariances(new Components(u), byCells))
        basis.forEach((_, b) => {
          twin.addBasis({ weights: nothing, variance: all[b]! })
        })
        expect(twin.addMembers(list.map((m, j) => ({ ...m, variance: all[basis.length + j]! })))).toEqual([])
        const [x, y] = [form.shares(question), twin.shares(question)]
        // Shares of at most 3·(1 + 12·3²·100), from sums of 18 products: 10^4·18·2^-52.
        for (const part of ['basis', 'members'] as const)
          for (const [k, share] of x[part].entries()) expect(Math.abs(share - y[part][k]!)).toBeLessThan(1e-10)
        expect(Math.abs(x.variance - y.variance)).toBeLessThan(1e-10 * (1 + y.largest))
      }
    }),
    { numRuns: 200 },
  )
})
