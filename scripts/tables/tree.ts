import { openHistory } from '../../src/inference/index.ts'
import { laplaceVariance, rational } from '../../src/numeric/index.ts'
import { answerSize, countAll } from '../../src/query/index.ts'
import { treeLevels } from '../../src/release/tree/levels.ts'
import { attribute, universe } from '../../src/schema/index.ts'
import type { PageTable } from './page-table.ts'

/** Of a level of one count for all of ε: so many steps that these do not show. */
const scale = 1000
const shares = [0.1, 0.25, 0.5, 0.75, 0.95]

/** The mean variance of ranges from a tree, relative to those from single counts, for the same ε. */
function row(values: number, fanOut: number): string[] {
  const people = universe([attribute({ kind: 'integer', name: 'age', low: 0, high: values - 1, closed: true })])
  const levels = treeLevels(people, { of: ['age'], fanOut })
  const history = openHistory(people, { random: Math.random })
  levels.forEach((query, i) => {
    const law = { kind: 'laplace', scale: rational(scale * levels.length) } as const
    history.append({ id: `${i}`, query, law, values: new Float64Array(answerSize(query, people)) })
  })
  const relative = shares.map((share) => {
    const length = Math.max(1, Math.round(share * values))
    const variances = Array.from({ length: values - length + 1 }, (_, from) => {
      const factors = { age: { kind: 'interval', from, to: from + length - 1 } } as const
      const made = history.estimate({ ...countAll, terms: [{ coefficient: 1, factors }] })
      return made.estimable ? made.variance / (length * laplaceVariance(scale)) : Number.NaN
    })
    return (variances.reduce((sum, v) => sum + v, 0) / variances.length).toFixed(2)
  })
  return [`${values}`, `${fanOut}`, levels.map((query) => answerSize(query, people)).join(', '), ...relative]
}

export const treeTable: PageTable = {
  page: 'docs/algorithms/tree.md',
  header: ['values', 'fan-out', 'groups per level', '10% of the domain', '25%', '50%', '75%', '95%'],
  make: async () => [74, 201, 1000].flatMap((values) => [4, 16].map((fanOut) => row(values, fanOut))),
}
