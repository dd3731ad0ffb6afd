import { states } from '../src/evaluation/census/attributes.ts'

const genders = ['Female', 'Male']
const statuses = ['Single', 'Married', 'Separated', 'Widowed']
const levels = ['None', 'Primary', 'Secondary', 'College', 'Postgraduate']

/**
 * Three of five count some people, two of five count by groups: as somebody asks who looks at a
 * census from all sides. The first 10,800 are all different.
 */
export function ordinaryQuestion(n: number): string {
  const m = Math.floor(n / 5)
  const range = (997 * m) % 2160
  const from = range % 60
  const ages = `age BETWEEN ${from} AND ${from + 5 + Math.floor(range / 60)}`
  const of = (list: readonly string[], at: number) => `'${list[at % list.length]}'`
  const state = (at: number) => `'${states[at % states.length]![0]}'`
  const kinds = [
    () => `SELECT COUNT(*) FROM census WHERE ${ages} AND gender = ${of(genders, m)}`,
    () => `SELECT COUNT(*) FROM census WHERE ${ages} AND state IN (${state(m)}, ${state(m + 7)})`,
    () =>
      `SELECT COUNT(*) FROM census WHERE ${ages} AND education = ${of(levels, m)} AND marital_status <> ${of(statuses, m)}`,
    () => `SELECT education, COUNT(*) FROM census WHERE ${ages} GROUP BY 1`,
    () => `SELECT gender, COUNT(*) FROM census WHERE ${ages} AND state = ${state(m)} GROUP BY 1`,
  ]
  return kinds[n % 5]!()
}
