import { expect, test } from 'vitest'
import { seededBits } from '../../src/evaluation/index.ts'
import { rational } from '../../src/numeric/index.ts'
import { ReticentError } from '../../src/schema/index.ts'
import { fits } from '../../src/trusted/accounting/index.ts'
import { asking } from '../support/asking.ts'
import { promise } from '../support/metered.ts'

const asks = 150

function statementsOf(below: (n: number) => number): string {
  const [from, to] = [below(10), below(10)].sort((a, b) => a - b)
  const where = ['', ` WHERE age BETWEEN ${from} AND ${to}`, ' WHERE member'][below(3)]!
  return [
    `SELECT COUNT(*) FROM people${where}`,
    `SELECT 3 - 2 * COUNT(*) FROM people${where}`,
    `SELECT SUM(age) FROM people${where}`,
    `SELECT AVG(age) FROM people${where}`,
    `SELECT member, COUNT(*) FROM people${where} GROUP BY member`,
    `SELECT member, COUNT(*) FROM people${where} GROUP BY member ORDER BY 2 DESC LIMIT 1`,
  ][below(6)]!
}

/** What may be refused without anything being wrong. */
const expected = new Set(['budget-exceeded', 'not-supported'])

// Both currencies; 300 asks in all.
test.each([
  ['ε', promise],
  ['ε and ρ', { ...promise, delta: rational(1, 1_000_000), composition: 'zcdp' as const }],
])('random questions in any order never spend more than the cap in %s, and free answers repeat', async (_, privacy) => {
  const bits = seededBits(5)
  const below = (n: number) => bits.uint32() % n
  const { put, book } = await asking({ privacy })
  const seen = { free: 0, bought: 0, refused: 0 }
  for (let i = 0; i < asks; i++) {
    const sql = statementsOf(below)
    const how = [
      { within: 5 + below(200) },
      { within: 20 + below(100), allWithin: true },
      { epsilon: (1 + below(40)) / 1000 },
      { relative: 0.2, floor: 50 + below(200) },
      { free: true as const },
    ][below(5)]!
    const before = book.spent()
    const answer = await put(sql, how).catch((error) => {
      if (!(error instanceof ReticentError && expected.has(error.code))) throw error
      seen.refused++
    })
    expect(fits(book.spent(), book.cap)).toBe(true)
    if (answer?.kind === 'free') {
      seen.free++
      expect(book.spent()).toEqual(before)
      const again = await put(sql, how)
      expect(again).toEqual(answer)
    } else if (answer) seen.bought++
  }
  // All three happen, or the test shows nothing.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(5)
})
