import { expect } from 'vitest'
import { buyTree } from '../../src/dataset/tree.ts'
import { seededBits } from '../../src/evaluation/index.ts'
import { add, compare, divide, rational, subtract, toNumber, zero } from '../../src/numeric/index.ts'
import { type NoiseLaw, weightAt } from '../../src/query/index.ts'
import { type Privacy, ReticentError } from '../../src/schema/index.ts'
import { fits, isAnswer } from '../../src/trusted/accounting/index.ts'
import type { Book } from '../../src/trusted/ledger/index.ts'
import type { Quota } from '../../src/trusted/meter/index.ts'
import { asking } from './asking.ts'
import { ages, people } from './metered.ts'

/** Asked of one table: enough to spend all that it has, and to go on. */
const asks = 20

function statementOf(below: (n: number) => number): string {
  const [from, to] = [below(10), below(10)].sort((a, b) => a - b)
  const where = ['', ` WHERE age BETWEEN ${from} AND ${to}`, ' WHERE member'][below(3)]!
  // Ratios take the longest: one in eight.
  if (below(8) === 0)
    return [
      `SELECT AVG(age) FROM people${where}`,
      `SELECT COUNT(*), AVG(age), VARIANCE(age) FROM people${where}`,
      `SELECT member, AVG(age) FROM people${where} GROUP BY member`,
    ][below(3)]!
  return [
    `SELECT COUNT(*) FROM people${where}`,
    `SELECT 3 - 2 * COUNT(*) FROM people${where}`,
    `SELECT SUM(age) FROM people${where}`,
    `SELECT member, COUNT(*) FROM people${where} GROUP BY member`,
    `SELECT age, COUNT(*) FROM people${where} GROUP BY age ORDER BY 2 DESC LIMIT 1`,
  ][below(5)]!
}

function howOf(sql: string, below: (n: number) => number) {
  const isRatio = sql.includes('AVG')
  const width = isRatio ? [2, 3, 5][below(3)]! : [10, 30, 100][below(3)]!
  return [
    { within: width },
    { within: 2 * width, allWithin: true },
    { within: width, maxEpsilon: 0.2, ...(isRatio ? { floor: 50 } : {}) },
    { epsilon: (1 + below(40)) / 1000 },
    { epsilon: (1 + below(400)) / 1000 },
    { relative: 0.2, floor: [50, 100, 200][below(3)]! },
    { free: true as const },
  ][below(7)]!
}

/** What may be refused without anything being wrong. */
const expected = new Set(['budget-exceeded', 'not-supported'])
const refusedIn = (error: unknown): undefined => {
  if (!(error instanceof ReticentError && expected.has(error.code))) throw error
}

type Table = Awaited<ReturnType<typeof asking>>

/** A run that comes down a little, and is closed or not; or a tree. */
async function release({ meter, session }: Table, quota: Quota | null, below: (n: number) => number): Promise<void> {
  const epsilon = rational(1 + below(100), 1000)
  if (below(2) === 0) {
    await buyTree({ shape: { of: ['age'], fanOut: 2 + below(4) }, epsilon }, { ...session(quota), reservations: [] })
    return
  }
  const grid = { first: rational(2000), step: rational(10), count: 190 }
  const queries = [ages(0, below(10)), ages(below(5), 9)]
  const run = await meter.openRun({ queries, grid, epsilon, analyst: quota, statement: null })
  for (let i = 0; i < 5; i++) {
    const [query, level] = [below(2), below(190)]
    if (run.allows(query, level)) run.lower(query, level)
  }
  if (below(4) > 0) await run.close()
}

/** What the record of a cell that has paid most has paid, by adding up; ε only, and where a record may come or go. */
function paidByWorst(book: Book): number {
  const scale = (law: NoiseLaw) => (law as Extract<NoiseLaw, { kind: 'laplace' }>).scale
  let worst = zero
  for (let age = 0; age < 10; age++) {
    for (let member = 0; member < 3; member++) {
      let sum = zero
      for (const { charges, held } of book.releases) {
        sum = add(sum, rational(BigInt(held.epsilon), 10n ** 12n))
        for (const charge of charges.filter(isAnswer)) {
          const { query, law } = charge
          const weight = rational(Math.abs(weightAt(query, people, [age, member])))
          const price = (of: NoiseLaw) => divide(weight, scale(of))
          sum = add(sum, charge.kind === 'refinement' ? subtract(price(law), price(charge.paid)) : price(law))
        }
      }
      if (compare(sum, worst) > 0) worst = sum
    }
  }
  return toNumber(worst)
}

/**
 * Puts random questions and releases, `asks` to a table, and expects after each that no cap is exceeded, neither the
 * dataset's nor an analyst's, and that what is free costs nothing and is told again.
 */
export async function randomAsks(privacy: Omit<Privacy, 'analysts'>, { tables }: { tables: number }): Promise<void> {
  const seen = { free: 0, bought: 0, refused: 0, combined: 0, refined: 0, released: 0 }
  for (let k = 0; k < tables; k++) {
    const bits = seededBits(500 + k)
    const below = (n: number) => bits.uint32() % n
    const isReplacing = k % 3 === 2
    const table = await asking({ privacy: { ...privacy, neighbours: isReplacing ? 'replace-one' : 'add-remove' } })
    const { put, book } = table
    const quotas = ['ada', 'bob'].map((name): Quota => ({ name, cap: book.capOf(rational(6, 10)) }))
    for (let i = 0; i < asks; i++) {
      const quota = k % 2 === 0 ? quotas[below(2)]! : undefined
      const before = book.spent()
      if (below(25) === 0) {
        await release(table, quota ?? null, below).then(() => seen.released++, refusedIn)
      } else {
        const sql = statementOf(below)
        const how = howOf(sql, below)
        const answer = await put(sql, how, quota).catch(refusedIn)
        if (!answer) seen.refused++
        else if (answer.kind !== 'free') {
          seen.bought++
          if (answer.kind !== 'fresh') seen[answer.kind as 'combined' | 'refined']++
        } else {
          seen.free++
          expect(book.spent()).toEqual(before)
          if (!('epsilon' in how) && below(10) === 0) expect(await put(sql, how, quota)).toEqual(answer)
        }
      }
      expect(fits(book.spent(), book.cap)).toBe(true)
      if (quota) expect(fits(book.spent(quota.name), quota.cap)).toBe(true)
    }
    if (book.cap.rho === null && !isReplacing) expect(paidByWorst(book)).toBeLessThanOrEqual(1)
  }
  // All of it happens, or the test shows nothing. In ρ nothing is refined.
  for (const [what, times] of Object.entries(seen))
    if (what !== 'refined' || privacy.composition === 'pure') expect(times).toBeGreaterThan(tables / 20)
}
