import { ask, type Estimate, Knowledge } from '../../../answer/index.ts'
import { rational } from '../../../numeric/index.ts'
import { countAll, type LinearQuery } from '../../../query/index.ts'
import { measureMarginals } from '../../../release/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { type Counted, openCounted } from '../../marginals/index.ts'
import { statementOf } from '../table.ts'
import { confidence, type Seen, seen } from './seen.ts'

/** Six questions with two answers each, and how many of 2,000 people said yes. */
const yes = [20, 60, 100, 300, 600, 1000]
const records = 2000
const names = yes.map((_, i) => `q${i}`)
const people = universe(names.map((name) => attribute({ kind: 'boolean', name, closed: true })))
const sixQuestions: Counted = {
  name: 'six questions',
  universe: people,
  marginals: names.map((name) => [name]),
  counts: yes.map((count) => Float64Array.of(records - count, count)),
  records,
}

const cell = (name: string, code: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { [name]: { kind: 'interval', from: code, to: code } } }],
})

/** Every cell of a release by iReduct, as the history tells it. */
export async function reducedCells(random: () => number): Promise<Seen[]> {
  const epsilon = rational(1, 10)
  const { book, context } = await openCounted(sixQuestions, { epsilon, neighbours: 'add-remove' })
  await measureMarginals(
    {
      marginals: sixQuestions.marginals,
      method: 'ireduct',
      budget: { epsilon },
      floor: { kind: 'count', count: 20 },
      records: { kind: 'known', count: records },
    },
    context,
  )
  const knowledge = new Knowledge(book, random)
  const meter = () => Promise.reject(new Error('a free answer buys nothing'))
  const session = { book, knowledge, quota: null, approve: () => {}, meter, random }
  const all: Seen[] = []
  for (const [i, name] of names.entries())
    for (const code of [0, 1]) {
      const answer = await ask(statementOf(cell(name, code)), { kind: 'free', confidence, always: true }, session)
      all.push(seen(answer as Estimate, sixQuestions.counts[i]![code]!))
    }
  return all
}
