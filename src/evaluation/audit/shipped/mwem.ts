import { DenseModel } from '../../../model/index.ts'
import { rational, toNumber } from '../../../numeric/index.ts'
import { countAll, type LinearQuery, type Measurement, marginal, queryKey } from '../../../query/index.ts'
import { type MwemRequest, mwem } from '../../../release/index.ts'
import { type CellTable, openCells } from '../../synth/open-cells.ts'
import { evidenceOf } from '../evidence.ts'
import { likelihood } from '../feature.ts'
import type { Mechanism, Output } from '../mechanism.ts'
import { people } from './people.ts'

/** A run takes milliseconds, so there are few of them: a larger loss shows in fewer. */
const epsilon = rational(4)
const records = 20

const upTo = (age: number): LinearQuery => ({
  ...countAll,
  terms: [{ coefficient: 1, factors: { age: { kind: 'interval', from: 0, to: age } } }],
})
const queries = [marginal(['sex']), marginal(['age']), upTo(0), upTo(1), upTo(2)]

/** By sex, and within it by age. One man of 0 turns out to be a woman of 3. */
const tableOf = (counts: readonly number[]): CellTable => ({ universe: people, counts: Float64Array.from(counts) })
const left = tableOf([1, 1, 1, 0, 9, 4, 3, 1])
const right = tableOf([1, 1, 1, 1, 8, 4, 3, 1])

/** The exact answers to each query: what the likelihood of noisy ones is computed from. */
const exactly = ({ universe, counts }: CellTable) => {
  const model = new DenseModel(universe, records, {}, counts)
  return (query: LinearQuery) => model.answers(query)
}
const [onLeft, onRight] = [exactly(left), exactly(right)]

/** A whole run through the meter: what it chose and told, and how much the answers speak for the left table. */
async function makeOnce(table: CellTable, more: Partial<MwemRequest>): Promise<Output> {
  const { book, context } = await openCells(table, { epsilon, neighbours: 'replace-one' })
  await mwem.make(
    { budget: { epsilon }, records: { kind: 'known', count: records }, history: [], queries, ...more },
    { ...context, random: () => 0.5 },
  )
  const seen = book.releases.flatMap(({ measurements }) => measurements)
  const places = seen.map(({ query }) => queries.findIndex((other) => queryKey(other) === queryKey(query)))
  return [
    seen.reduce((sum, measurement) => sum + evidence(measurement), 0),
    `chose ${places.join(' and ')}`,
    ...seen.flatMap(({ values }) => Array.from<number | bigint>(values)),
  ]
}

/** How much an answer speaks for the left table. */
const evidence = (measurement: Measurement): number =>
  evidenceOf(measurement, onLeft(measurement.query), onRight(measurement.query))

const runs: readonly (readonly [name: string, about: string, more: Partial<MwemRequest>])[] = [
  ['synth-mwem-rounds', 'two rounds of MWEM: each a choice and an answer', { rounds: 2 }],
  ['synth-mwem-adaptive', 'MWEM that doubles the price of a round as the signal fades', { rounds: 'adaptive' }],
  ['synth-mwem-start', 'counts of all cells, then a round of MWEM', { rounds: 1, startShare: rational(1, 2) }],
]

/** Whole runs of MWEM on a tiny table, where one record is replaced. */
export const mwemMechanisms: readonly Mechanism[] = runs.map(([name, about, more]) => ({
  name,
  kind: 'shipped',
  about,
  claim: { epsilon: toNumber(epsilon), delta: 0 },
  features: [
    likelihood('choices, and how much answers speak for a table', (o) => `${o[1]} ${Math.round(2 * Number(o[0]))}`),
  ],
  pairs: [
    {
      name: 'a record is replaced',
      left: () => makeOnce(left, more),
      right: () => makeOnce(right, more),
    },
  ],
}))
