import { FactoredModel } from '../../../model/index.ts'
import { marginalOver } from '../../../query/index.ts'
import { parseWorkload } from '../../../release/index.ts'
import { type CodedTable, countMarginals, sharedTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import { cuboidError, tablesOf } from '../../synth/index.ts'
import type { Experiment } from '../experiment.ts'
import { type Case, figureOf } from './figure.ts'
import { inventedCensus } from './invented.ts'
import { modelByMwem, modelByPairs } from './model-by.ts'
import { withOnly } from './with-only.ts'

const categorical = [
  'workclass',
  'education_num',
  'marital_status',
  'occupation',
  'relationship',
  'race',
  'sex',
  'native_country',
]

/** Cuboids over up to three attributes: mean and largest of the mean absolute errors in each. */
function cuboidsOf(table: CodedTable, seed: number): Case {
  const { uniform } = seededBits(seed)
  const queries = [1, 2, 3].flatMap((ways) => [...parseWorkload(`${ways}-way`, table.universe, uniform)])
  const exact = countMarginals(
    table,
    queries.map((query) => marginalOver(query)!),
  )
  return {
    title: table.name,
    epsilons: [0.1, 0.25, 0.5, 1],
    async read(epsilon, run) {
      const bits = seededBits(seed + run)
      const model = (over: CodedTable['universe'], records: number) => new FactoredModel(over, records)
      const made = {
        MWEM: await modelByMwem(table, epsilon, { queries, model }, bits),
        pairs: await modelByPairs(table, epsilon, bits),
      }
      const reading = new Map<string, number>()
      for (const [name, each] of Object.entries(made)) {
        const error = cuboidError(exact, tablesOf(each, exact.marginals))
        reading.set(`${name}, mean`, error.mean).set(`${name}, largest`, error.largest)
      }
      // Noise of scale m/ε in every cell of each of m cuboids.
      return reading.set('Laplace', queries.length / epsilon)
    },
  }
}

export const cubes: Experiment = figureOf({
  name: 'mwem-fig5',
  about: 'mean and largest error of the cuboids of eight attributes against ε (MWEM paper, Fig. 5)',
  measure: 'absolute error per cell',
  runs: 10,
  cases({ quick, seed }) {
    const adult = quick ? undefined : sharedTable('adult_pgm')
    const table = adult
      ? { ...withOnly(adult, categorical), name: 'adult, eight attributes' }
      : inventedCensus(['gender', 'race', 'education', 'state'], seed)
    return [cuboidsOf(table, seed)]
  },
  notes: [
    'The mean absolute error in each of the 92 cuboids over up to three attributes; its mean over all of them, and the largest. (The paper has all 256.)',
    'MWEM: in factored form, cuboids of up to three attributes as workload. Laplace: every cuboid with the noise of its share of ε, unprocessed.',
    'Add-remove, n known, as in the paper. 48,842 records.',
  ],
})
