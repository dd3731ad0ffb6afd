import { expect, test } from 'vitest'
import { people, some, someRows } from '../../../test/support/coded-people.ts'
import { one } from '../../numeric/index.ts'
import { countAll, type LinearQuery, marginal } from '../../query/index.ts'
import { open } from '../../trusted/exact/open.ts'
import { memoryEngine } from '../memory-engine.ts'
import { rowsEngine } from './rows-engine.ts'

test('the engine over coded rows answers what the obvious one does', async () => {
  const raw = someRows.map(([age, state, rich]) => ({ age: age!, state: state!, rich: rich === 1 }))
  const slow = memoryEngine({ rows: raw, universe: people })
  const interval = (from: number, to: number) => ({ kind: 'interval', from, to }) as const
  const queries: LinearQuery[] = [
    countAll,
    marginal(['age', 'rich']),
    marginal(['rich', 'state', 'age']),
    { ...countAll, by: [{ attribute: 'age', groups: [interval(0, 1), interval(4, 6)] }, { attribute: 'state' }] },
    {
      by: [{ attribute: 'rich' }],
      terms: [
        { coefficient: 2, factors: { age: { kind: 'value', slope: 1, shift: -3, power: 2, from: 1, to: 5 } } },
        { coefficient: -1, factors: { state: interval(1, 2), age: interval(0, 3) } },
      ],
      step: one,
    },
  ]
  const [fast, twin] = await Promise.all([rowsEngine(some).answer(queries), slow.answer(queries)])
  queries.forEach((_, i) => {
    expect(Array.from(open(fast[i]!), Number)).toEqual(Array.from(open(twin[i]!), Number))
  })
})
