import { type FittedTable, fitKernel, fitMaxent, learnedPrior, type PastAnswers } from '../../../inference/index.ts'
import type { LinearQuery, Measurement } from '../../../query/index.ts'

/** What a method is given: the history, one-way marginals that may be bought, and the queries that are asked of it. */
interface Asked {
  readonly past: PastAnswers
  readonly bought: readonly Measurement[]
  readonly queries: readonly LinearQuery[]
  readonly random: () => number
  /** For a first look: so many chains where a fit is sampled. */
  readonly chains?: number
}

/** Ways to use a history, each choosing its own parameters from public numbers alone; their answers to the queries. */
export const historyMethods: {
  readonly [name: string]: (asked: Asked) => readonly number[] | Promise<readonly number[]>
} = {
  'noisy answers': ({ past }) => past.measurements.map(({ values }) => Number(values[0])),
  'kernel, uniform prior': ({ past, queries, random }) => byKernel(fitKernel(past, { prior: [], random }), queries),
  'kernel, learned prior': ({ past, queries, random }) => byKernel(ofSingles(past, random), queries),
  'kernel, bought prior': ({ past, bought, queries, random }) =>
    byKernel(ofSingles(withBought(past, bought), random), queries),
  'kernel, mixture prior': ({ past, bought, queries, random }) =>
    byKernel(fitKernel(withBought(past, bought), { random }), queries),
  'maxent, as in the paper': async ({ past, bought, queries, random, chains }) =>
    byTable(await fitMaxent(withBought(past, bought), { loss: 'likelihood', random, chains }), queries),
  'maxent, uniform prior': async ({ past, queries, random, chains }) =>
    byTable(await fitMaxent(past, { prior: [], random, chains }), queries),
  'maxent, learned prior': async ({ past, queries, random, chains }) =>
    byTable(await fitMaxent(past, { random, chains }), queries),
  'maxent, bought prior': async ({ past, bought, queries, random, chains }) =>
    byTable(await fitMaxent(withBought(past, bought), { random, chains }), queries),
}

const withBought = (past: PastAnswers, bought: readonly Measurement[]): PastAnswers => ({
  ...past,
  measurements: [...past.measurements, ...bought],
})

/** With what is told of single attributes alone, as the paper has it. */
const ofSingles = (past: PastAnswers, random: () => number) =>
  fitKernel(past, { prior: learnedPrior(past, random), random })

const byTable = ({ table }: FittedTable, queries: readonly LinearQuery[]): number[] =>
  queries.map((query) => table.answers(query)[0]!)

const byKernel = (model: ReturnType<typeof fitKernel>, queries: readonly LinearQuery[]): number[] =>
  queries.map((query) => model.answers(query)[0]!)
