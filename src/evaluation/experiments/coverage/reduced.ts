import { ask, type Estimate, Knowledge } from '../../../answer/index.ts'
import { rational } from '../../../numeric/index.ts'
import { countAll, type LinearQuery } from '../../../query/index.ts'
import { measureMarginals } from '../../../release/index.ts'
import { openCounted } from '../../marginals/index.ts'
import { names, records, sixQuestions } from '../six-questions.ts'
import { statementOf } from '../table.ts'
import { confidence, type Seen, seen } from './seen.ts'

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
