import { expect, test } from 'vitest'
import { asking } from '../../../test/support/asking.ts'
import { people, promise } from '../../../test/support/metered.ts'
import { memoryEngine } from '../../evaluation/index.ts'
import { rational } from '../../numeric/index.ts'

const rows = (more: number) => [
  ...Array.from({ length: 500 }, (_, i) => ({ age: i % 10, member: i % 3 === 0 })),
  ...Array.from({ length: more }, () => ({ age: 4, member: false })),
]
const byAge = 'SELECT age, COUNT(*) FROM people GROUP BY age'
const byBoth = 'SELECT age, member, COUNT(*) FROM people GROUP BY age, member'

/** What is said of the groups at the end, where a source was changed behind our back before the last of these purchases. */
async function disagreement(asked: readonly string[], more: number, gauss = false): Promise<number | undefined> {
  const privacy = {
    ...promise,
    epsilon: rational(100),
    ...(gauss && { delta: rational(1, 1000), composition: 'zcdp' as const }),
  }
  const { put, engine } = await asking({ rows: rows(0), privacy })
  for (const [i, sql] of asked.entries()) {
    const changed = memoryEngine({ rows: rows(more), universe: people })
    if (i === asked.length - 1) engine.answer = (queries) => changed.answer(queries)
    await put(sql, { epsilon: 1 })
  }
  return (await put(byAge, { free: true })).disagreement
}

test.each([
  ['the same groups, once more', [byAge, byAge], true],
  ['finer groups', [byAge, byBoth], false],
  ['one of the groups', [byAge, 'SELECT COUNT(*) FROM people WHERE age = 4'], false],
])('a change between purchases is noticed in a GROUP BY that is told by %s', async (_, asked, gauss) => {
  // Noise of a deviation of 5 at most: a change of 100 looks like one of less than 60 once in 10^9 times.
  expect(await disagreement(asked, 100, gauss)).toBeLessThan(1e-6)
})

test('without a change nothing is said', async () => {
  // Once in a thousand times it is, by noise: not three times of four, but for a chance of 10^-8.
  const said = await Promise.all(Array.from({ length: 4 }, () => disagreement([byAge, byBoth], 0)))
  expect(said.filter((chance) => chance !== undefined).length).toBeLessThan(3)
})
