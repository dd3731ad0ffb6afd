import { parseWorkload } from '../../../release/index.ts'
import { type CodedTable, sharedIntegers } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import { exactAnswers, squaredError, svdBound } from '../../synth/index.ts'
import type { Experiment } from '../experiment.ts'
import { type Case, figureOf } from './figure.ts'
import { inventedCensus } from './invented.ts'
import { modelByMwem } from './model-by.ts'

const most = 1000

/** The paper's four (§3.1); those that are there. Bounds are those of the files. */
const tables = (): CodedTable[] => {
  const adult = 'adult/adult_train.csv.gz'
  const transfusion = 'transfusion/transfusion.csv'
  return [
    sharedIntegers(adult, 'adult: capital loss', { capital_loss: [0, 4356, 1] }),
    sharedIntegers(adult, 'adult: age × hours', { age: [17, 90, 1], hours_per_week: [1, 99, 1] }),
    sharedIntegers(transfusion, 'transfusion: recency × frequency', {
      recency_months: [0, 74, 1],
      frequency_times: [1, 50, 1],
    }),
    sharedIntegers(transfusion, 'transfusion: monetary', { monetary_cc: [250, 12_500, 250] }),
  ].filter((table) => table !== undefined)
}

/** Random ranges over the attributes of a table, the same in every run. */
function rangesOf(table: CodedTable, count: number, seed: number): Case {
  const queries = [...parseWorkload(`ranges:${count}`, table.universe, seededBits(seed).uniform)]
  const exact = exactAnswers(table, queries).map(([answer]) => answer!)
  const bounds = { 'SVD bound at δ = 1/n': svdBound(queries, table.universe, { epsilon: 1, delta: 1 / table.rows }) }
  return {
    title: table.name,
    epsilons: [0.0125, 0.035, 0.1],
    async read(epsilon, run) {
      const model = await modelByMwem(table, epsilon, { queries }, seededBits(seed + run))
      const answers = queries.map((query) => model.answers(query)[0]!)
      const scaled = Object.entries(bounds).map(([name, bound]) => [name, bound / epsilon ** 2] as const)
      return new Map([['MWEM', squaredError(exact, answers)], ...scaled])
    },
  }
}

export const ranges: Experiment = figureOf({
  name: 'mwem-fig2',
  about: 'mean squared error of random ranges against ε, beside the SVD bound (MWEM paper, Fig. 2)',
  measure: 'squared error per range',
  runs: 10,
  settings: { ranges: most },
  cases({ quick, seed }) {
    const found = quick ? [] : tables()
    return (found.length > 0 ? found : [inventedCensus(['age'], seed)]).map((table) =>
      rangesOf(table, quick ? 100 : most, seed),
    )
  },
  notes: [
    'SVD bound: no matrix mechanism with Gaussian noise is better at (ε, δ), whatever the data (Li and Miklau 2011); MWEM is ε-private.',
    'Add-remove, n known; rounds chosen from public numbers. Ranges over one attribute or two, between two values drawn uniformly.',
  ],
})
