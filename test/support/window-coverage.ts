import { rational } from '../../src/numeric/index.ts'
import { asking } from './asking.ts'
import { promise } from './metered.ts'

/** Ten ages with 10 … 100 records, in steps of ten, half of them members. */
const rows = Array.from({ length: 10 }, (_, age) =>
  Array.from({ length: 10 * (age + 1) }, (_, i) => ({ age, member: i % 2 === 0 })),
).flat()

/** Numbers made of several groups, and what they truly are by age. */
const windows: readonly { readonly column: string; readonly truth: (age: number) => number }[] = [
  { column: '100.0 * COUNT(*) / SUM(COUNT(*)) OVER ()', truth: (age) => (100 * (age + 1)) / 55 },
  { column: 'SUM(COUNT(*)) OVER (ORDER BY age)', truth: (age) => 5 * (age + 1) * (age + 2) },
  { column: 'COUNT(*) - LAG(COUNT(*)) OVER (ORDER BY age)', truth: (age) => (age === 0 ? Number.NaN : 10) },
  { column: 'RANK() OVER (ORDER BY COUNT(*) DESC)', truth: (age) => 10 - age },
  {
    column: 'SUM(COUNT(*)) OVER (ORDER BY age ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
    truth: (age) => 20 * age + 10,
  },
]
const byAge = `SELECT age, ${windows.map(({ column }) => column).join(', ')} FROM people GROUP BY age`
/** Of groups that are put together: (age, member) by the parity of both, and totals of ages. */
const merged = 'SELECT CASE WHEN age >= 5 OR member THEN 1 ELSE 0 END AS k, COUNT(*) FROM people GROUP BY ROLLUP (k)'
const mergedTruth = [75, 475, 550]

/** By number of the answer how often its interval missed, fresh and from the history. */
export async function windowMisses(
  trials: number,
): Promise<{ readonly misses: readonly number[]; readonly widths: number[] }> {
  const misses: number[] = []
  const widths: number[] = []
  const note = (
    i: number,
    truth: number,
    { interval: [low, high], within }: { interval: number[]; within: number },
  ) => {
    if (Number.isNaN(truth)) return
    misses[i] = (misses[i] ?? 0) + (truth < low! || truth > high! ? 1 : 0)
    widths[i] = (widths[i] ?? 0) + within / trials
  }
  for (let trial = 0; trial < trials; trial++) {
    const { put } = await asking({ rows, privacy: { ...promise, epsilon: rational(4) } })
    let i = 0
    for (const how of [{ epsilon: 0.5 }, { free: true }] as const) {
      const { answers } = await put(byAge, how)
      for (const [c, { truth }] of windows.entries())
        for (let age = 0; age < 10; age++) note(i++, truth(age), answers[c].groups[age])
      if ('free' in how) continue
      const { groups } = await put(merged, how)
      for (const [k, truth] of mergedTruth.entries()) note(i++, truth, groups[k])
    }
  }
  return { misses: Array.from(misses, (n) => n ?? 0), widths }
}
