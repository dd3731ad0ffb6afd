import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { countAll, type LinearQuery, marginal } from '../../query/index.ts'
import { ownQueries } from './own-queries.ts'

test('copies say what was handed over, and share nothing with it', () => {
  const some = smallUniverse().chain((u) => fc.array(fc.oneof(queryOver(u), fc.constant(marginal(['a', 'b'])))))
  fc.assert(
    fc.property(some, (queries) => {
      const copies = ownQueries(queries)
      expect(copies).toEqual(queries)
      for (const [i, copy] of [...copies].entries())
        for (const key of ['by', 'terms'] as const) expect(copy[key]).not.toBe(queries[i]![key])
    }),
  )
})

describe('what changes while it is read is asked for as it was read', () => {
  test('a name that is another each time', () => {
    let reads = 0
    const grouping = {
      get attribute() {
        return reads++ === 0 ? 'age' : 'member'
      },
    }
    const [copy] = ownQueries([{ ...countAll, by: [grouping] }])
    const { value } = Object.getOwnPropertyDescriptor(copy!.by[0]!, 'attribute')!
    expect(['age', 'member']).toContain(value)
  })
  test('a list that answers for itself', () => {
    const by = Object.assign([{ attribute: 'age' }], { map: () => ['member'], every: () => true })
    const [copy] = ownQueries([{ ...countAll, by } as LinearQuery])
    expect(copy).toEqual(marginal(['member']))
  })
  test('groups that turn up late', () => {
    let reads = 0
    const grouping = {
      attribute: 'age',
      get groups() {
        return reads++ === 0 ? undefined : []
      },
    }
    const [copy] = ownQueries([{ ...countAll, by: [grouping as { attribute: string }] }])
    expect(copy).toEqual(marginal(['age']))
  })
  test('a name that is no text', () => {
    const query = { ...countAll, by: [{ attribute: { toString: () => 'age' } }] } as unknown as LinearQuery
    expect(() => ownQueries([query])).toThrow()
  })
})
