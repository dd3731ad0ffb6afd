import fc from 'fast-check'
import { describe, test } from 'vitest'
import { madeUp, same } from '../../../test/support/estimates.ts'
import { queryOver, smallUniverse } from '../../../test/support/queries.ts'
import { seededBits } from '../../evaluation/index.ts'
import { countAll, type Measurement, marginal } from '../../query/index.ts'
import type { History } from './history.ts'
import { openHistory } from './open-history.ts'

const scenario = smallUniverse(3, [1, 2, 3, 4]).chain((u) => {
  const query = fc.oneof(
    queryOver(u),
    queryOver(u, 'grouped'),
    fc.subarray(u.attributes.map((a) => a.name)).map(marginal),
  )
  return fc.record({
    u: fc.constant(u),
    before: fc.array(query, { maxLength: 6 }),
    fork: fc.array(query, { minLength: 1, maxLength: 3 }),
    original: fc.array(query, { maxLength: 3 }),
    asked: fc.boolean(),
    refined: fc.boolean(),
  })
})

describe('a fork', () => {
  test('is a history of its own: each as if it had been built from nothing', () => {
    fc.assert(
      fc.property(scenario, ({ u, before, fork, original, asked, refined }) => {
        const open = () => openHistory(u, { random: seededBits(3).uniform })
        const start = before.map((query, i) => madeUp(u, query, `s${i}`, 3 + i))
        const grown = (history: History, list: readonly Measurement[]) => {
          for (const measurement of list) history.append(measurement)
          return history
        }
        const first = grown(open(), start)
        if (asked) first.estimate(countAll)
        const other = first.fork()
        const child = refined && start[0] ? madeUp(u, start[0].query, 'child', 2) : undefined
        if (child) other.append(child, { replaces: 's0' })
        const [added, also] = [fork, original].map((list, k) =>
          list.map((query, i) => madeUp(u, query, `${k}.${i}`, 20 + i)),
        ) as [Measurement[], Measurement[]]
        grown(other, added)
        grown(first, also)
        const twins = [
          grown(open(), [...(child ? [child, ...start.slice(1)] : start), ...added]),
          grown(open(), [...start, ...also]),
        ]
        const questions = [...before, ...fork, ...original].filter(({ by }) => by.length === 0)
        // Asked in turns, so that neither finds only what it left itself.
        for (const question of [countAll, ...questions])
          for (const [k, history] of [other, first].entries())
            same(history.estimate(question), twins[k]!.estimate(question))
      }),
      { numRuns: 150 },
    )
  })

  test('of a fork leaves both as they were', () => {
    fc.assert(
      fc.property(scenario, ({ u, before, fork }) => {
        const history = openHistory(u, { random: seededBits(4).uniform })
        for (const [i, query] of before.entries()) history.append(madeUp(u, query, `s${i}`, 3 + i))
        const known = history.estimate(countAll)
        const child = history.fork()
        const grandchild = child.fork()
        for (const [i, query] of fork.entries()) grandchild.append(madeUp(u, query, `f${i}`, 1))
        grandchild.estimate(countAll)
        same(history.estimate(countAll), known)
        same(child.estimate(countAll), known)
      }),
      { numRuns: 50 },
    )
  })
})
