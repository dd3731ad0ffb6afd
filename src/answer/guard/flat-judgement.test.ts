import { expect, test } from 'vitest'
import { code, count, found, integers } from '../../../test/support/estimates.ts'
import { seededBits } from '../../evaluation/index.ts'
import { type History, openHistory } from '../../inference/index.ts'
import { rational } from '../../numeric/index.ts'
import type { LinearQuery } from '../../query/index.ts'
import { universe } from '../../schema/index.ts'
import { Evidence } from './evidence.ts'
import { judgeFlatly } from './flat-judgement.ts'

const over = universe([integers('age', 100), integers('town', 60)])
const { uniform: random } = seededBits(5)
const young = { kind: 'interval', from: 0, to: 49 } as const
const guard = {
  query: count({ town: code(59), age: young }),
  within: 30,
  confidence: 0.9,
  stated: { query: '', within: 30, confidence: 0.9 },
}
const law = { kind: 'laplace', scale: rational(1) } as const
const byAge = (town: number): LinearQuery => ({ ...count({ town: code(town) }), by: [{ attribute: 'age' }] })

/** The guarded count is a sum of groups of one table among many others. */
function filled(towns: readonly number[], append: (id: string, query: LinearQuery) => void): void {
  for (const town of towns) append(`${town}.0`, byAge(town))
}
const judged = (after: History, before: History) =>
  judgeFlatly(guard, { before, after, alone: [], excuse: () => before })

test('a guard never believes that less is told than all answers tell: it asks all of them, and refuses what it cannot', () => {
  const [few, many] = [[59], [...Array.from({ length: 50 }, (_, town) => town), 59]]
  for (const [towns, verdict] of [
    [few, 'too much'],
    [many, 'too large'],
  ] as const) {
    const none = Evidence.none([guard], over, { publicCount: false, random })
    const seen = none.fork()
    filled(towns, (id, query) => seen.append(id, { kind: 'measurement', query, law }, null))
    expect(judged(seen.flat, none.flat)).toBe(verdict)
  }
  // The same answers by choice: they tell the guarded count, and leave out others, so a part is not what a guard asks.
  const chosen = openHistory(over, { random })
  filled(many, (id, query) => chosen.append({ id, query, law, values: new Float64Array(100) }))
  const { variance, leftOut } = found(chosen.estimate(guard.query))
  expect(variance).toBeLessThan(30 ** 2 / 3)
  expect(leftOut).toBeGreaterThan(0)
})

test('what a chosen part of the answers tells is never more than a guard sees', () => {
  const [whole, chosen] = [{ isWhole: true }, { mostScalars: 0 }].map((how) => openHistory(over, { random, ...how }))
  for (const history of [whole!, chosen!]) {
    filled([3, 59], (id, query) => history.append({ id, query, law, values: new Float64Array(100) }))
    const both = { ...count({ town: { kind: 'set', codes: [3, 59] } }), by: [{ attribute: 'age' }] }
    history.append({ id: 'both', query: both, law, values: new Float64Array(100) })
  }
  const [seen, told] = [whole!, chosen!].map((history) => found(history.estimate(guard.query)))
  expect(seen!.variance).toBeLessThanOrEqual(told!.variance * (1 + 1e-9))
  expect(seen!.leftOut).toBe(0)
})
