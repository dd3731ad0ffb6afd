import { rational } from '../../../numeric/index.ts'
import { type MwemRequest, parseWorkload } from '../../../release/index.ts'
import { type CodedTable, countMarginals, sharedTable } from '../../marginals/index.ts'
import { seededBits } from '../../seeded.ts'
import { barak, relativeEntropy } from '../../synth/index.ts'
import type { Experiment } from '../experiment.ts'
import { type Case, figureOf } from './figure.ts'
import { inventedBits } from './invented.ts'
import { modelByMwem } from './model-by.ts'

/** Ways to run MWEM, by line. */
type Ways = { readonly [line: string]: Partial<MwemRequest> }

/** The relative entropy of a table of binary attributes from what is made of its parities of up to k attributes. */
function entropies(table: CodedTable, degree: number, ways: Ways, epsilons: readonly number[], seed: number): Case {
  const { universe, name } = table
  const names = universe.attributes.map((a) => a.name)
  const counts = countMarginals(table, [names]).counts[0]!
  const queries = parseWorkload(`parities:${degree}`, universe, seededBits(seed).uniform)
  return {
    title: `${name}, parities of degree ≤ ${degree}`,
    epsilons,
    async read(epsilon, run) {
      const bits = seededBits(seed + run)
      const reading = new Map<string, number>()
      for (const [line, way] of Object.entries(ways)) {
        const model = await modelByMwem(table, epsilon, { queries, ...way }, bits)
        reading.set(line, relativeEntropy(counts, model.marginal([...names.keys()])))
      }
      return reading.set('Barak et al.', relativeEntropy(counts, barak(counts, { degree, epsilon, bits })))
    },
  }
}

const alone = { startShare: rational(0) }

export const smallTables: Experiment = figureOf({
  name: 'mwem-fig3',
  about: 'relative entropy of small contingency tables against ε (MWEM paper, Fig. 3)',
  measure: 'relative entropy',
  runs: 20,
  cases({ quick, seed }) {
    const found = quick ? [] : [sharedTable('czech'), sharedTable('rochdale')].filter((table) => table !== undefined)
    const ways = { MWEM: {}, 'MWEM, rounds alone': alone }
    const tables = found.length > 0 ? found : [inventedBits(5, seed)]
    return tables.map((table) => entropies(table, 3, ways, [0.1, 0.2, 0.3, 0.5, 0.7, 1], seed))
  },
  notes: [
    'Σ p ln(p/q) over the cells, as Fienberg et al. have it. Add-remove, n known, as in the paper; rounds chosen from public numbers.',
    'rounds alone: without counts of all cells to start from. Barak et al.: all parities with equal noise, combined by multiplicative weights.',
    'mildew is not there.',
  ],
})

export const largerTable: Experiment = figureOf({
  name: 'mwem-fig4',
  about: 'relative entropy of a larger table of binary attributes against ε (MWEM paper, Fig. 4)',
  measure: 'relative entropy',
  runs: 10,
  cases({ quick, seed }) {
    // Over 2^10 cells a run takes a tenth of a second, over all 2^16 a minute.
    const table = inventedBits(quick ? 6 : 10, seed)
    const ways = { MWEM: {}, 'MWEM, 30 rounds': { ...alone, rounds: 30 } }
    return [2, 3].map((degree) => entropies(table, degree, ways, [0.1, 1], seed))
  },
  notes: [
    'nltcs is not there: 21,574 invented people, and which of ten things they cannot do, in its place.',
    'Add-remove, n known, as in the paper. Barak et al.: all parities with equal noise, combined by multiplicative weights.',
  ],
})
