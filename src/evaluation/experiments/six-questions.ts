import { attribute, universe } from '../../schema/index.ts'
import type { Counted } from '../marginals/index.ts'

/** Six questions with two answers each, and how many of 2,000 people said yes. */
export const yes = [20, 60, 100, 300, 600, 1000]
export const records = 2000
export const names = yes.map((_, i) => `q${i}`)
const people = universe(names.map((name) => attribute({ kind: 'boolean', name, closed: true })))
export const sixQuestions: Counted = {
  name: 'six questions',
  universe: people,
  marginals: names.map((name) => [name]),
  counts: yes.map((count) => Float64Array.of(records - count, count)),
  records,
}
