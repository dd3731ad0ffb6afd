import { recordWeights } from '../../../model/index.ts'
import { parseRational, type Rational, rational, toNumber } from '../../../numeric/index.ts'
import { answerSize, type LinearQuery, type NoiseLaw } from '../../../query/index.ts'
import { type Meter, measureAllPairs, type SynthBudget } from '../../../release/index.ts'
import { epsilonOfRho } from '../../../trusted/accounting/index.ts'
import { memoryEngine } from '../../memory-engine.ts'
import { openRelease } from '../../open-memory.ts'
import { evidenceOf } from '../evidence.ts'
import type { Mechanism, Output } from '../mechanism.ts'
import { people, row, type Table } from './people.ts'

/**
 * Few women, and all of them older than the men. One is replaced by one of 0 years: both changes bring the table nearer to
 * independence, so that scores fall by 2.
 */
const table = (counts: readonly (readonly [sex: string, age: number, count: number])[]): Table =>
  counts.flatMap(([sex, age, count]) => Array.from({ length: count }, (_, i) => row(i, sex, age)))
const left = table([
  ['m', 0, 110],
  ['m', 1, 22],
  ['f', 2, 8],
  ['f', 3, 5],
])
const right = table([
  ['m', 0, 110],
  ['m', 1, 22],
  ['f', 2, 8],
  ['f', 3, 4],
  ['f', 0, 1],
])
const records = left.length

/** The answers to a count by groups. */
function counts(query: LinearQuery, rows: Table): Float64Array {
  const answers = new Float64Array(answerSize(query, people))
  const codes = [rows.map(({ sex }) => ['f', 'm'].indexOf(String(sex))), rows.map(({ age }) => Number(age))]
  for (const place of recordWeights(query, people, codes).places) answers[place]!++
  return answers
}
const distance = (x: ArrayLike<number>, y: ArrayLike<number | bigint>) =>
  Array.from(x).reduce((sum, value, i) => sum + Math.abs(value - Number(y[i]!)), 0)

const lawOf = ({ scale, variance }: { readonly scale?: Rational; readonly variance?: Rational }): NoiseLaw =>
  scale ? { kind: 'laplace', scale } : { kind: 'gaussian', variance: variance! }

/** What all that is bought says together: for the left table, and by scores alone. Scores may be told without their noise. */
function watching(meter: Meter, rows: Table, seen: { all: number; scores: number }, noisyScores: boolean): Meter {
  return {
    ...meter,
    openDraws: async (request) => {
      const draws = await meter.openDraws(request)
      const onLeft = Array.from(request.queries, (query) => counts(query, left))
      const onRight = Array.from(request.queries, (query) => counts(query, right))
      return {
        allows: (list) => draws.allows(list),
        tell: (model) => draws.tell(model),
        select: (selection) => draws.select(selection),
        close: () => draws.close(),
        draw: (draw) => {
          const answer = draws.draw(draw)
          seen.all += evidenceOf({ law: lawOf(draw), values: answer }, onLeft[draw.query]!, onRight[draw.query]!)
          return answer
        },
        score: (asked) => {
          const sold = draws.score(asked)
          const { query, model } = asked
          const score = noisyScores ? Number(sold) : distance(counts(request.queries.at(query)!, rows), model)
          const [l, r] = [onLeft, onRight].map((side) => [distance(side[query]!, model)]) as [number[], number[]]
          const found = evidenceOf({ law: lawOf(asked), values: Float64Array.of(score) }, l, r)
          seen.all += found
          seen.scores += found
          return score
        },
      }
    },
  }
}

const delta = parseRational('0.001')!

/** All that the method buys; the fit sees nothing else. */
async function buyOnce(rows: Table, budget: SynthBudget, noisyScores: boolean): Promise<Output> {
  const promised = { epsilon: rational(20), neighbours: 'replace-one', ...(budget.rho && { delta }) } as const
  const { context } = await openRelease(memoryEngine({ rows, universe: people }), people, promised)
  const seen = { all: 0, scores: 0 }
  const measured = await measureAllPairs(
    { budget, records: { kind: 'known', count: records }, history: [] },
    { ...context, meter: watching(context.meter, rows, seen, noisyScores), random: () => 0.5 },
  )
  return [seen.all, seen.scores, measured.pairs.reduce((cells, { values }) => cells + values.length, 0)]
}

const budgets = { epsilon: { epsilon: rational(4) }, rho: { rho: rational(1, 8) } } as const

export function pairsMechanism(
  about: Pick<Mechanism, 'name' | 'kind' | 'about'>,
  currency: 'epsilon' | 'rho',
  told: 'what was sold' | 'exact scores',
): Mechanism {
  const budget: SynthBudget = budgets[currency]
  const claim = budget.rho
    ? { epsilon: epsilonOfRho(budget.rho, delta), delta: toNumber(delta) }
    : { epsilon: toNumber(budget.epsilon), delta: 0 }
  const run = (rows: Table) => () => buyOnce(rows, budget, told === 'what was sold')
  return { ...about, claim, pairs: [{ name: 'one of the few is replaced', left: run(left), right: run(right) }] }
}

/** All that a synthetic table from all pairs is made of. */
export const pairsMechanisms: readonly Mechanism[] = [
  pairsMechanism(
    { name: 'synth-pairs', kind: 'shipped', about: 'a synthetic table from all pairs: all that it buys, in ε' },
    'epsilon',
    'what was sold',
  ),
  pairsMechanism(
    {
      name: 'synth-pairs-rho',
      kind: 'shipped',
      about: 'a synthetic table from all pairs: all that it buys, in ρ, with noisy scores',
    },
    'rho',
    'what was sold',
  ),
]
