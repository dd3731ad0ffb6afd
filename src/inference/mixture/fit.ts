import { fitMixture, MixtureModel } from '../../model/index.ts'
import { problem } from '../../schema/index.ts'
import { priorShares } from '../fitted/prior.ts'
import { toldRecords } from '../fitted/records.ts'
import type { FittedTable, FittingOptions } from '../fitted/table-history-model.ts'
import type { PastAnswers } from '../history-model.ts'
import { mixtureProblem } from './problem.ts'

/** An ensemble of mixtures, fitted to the counts of one to three attributes in the history. */
export async function fitHistoryMixture(past: PastAnswers, options: FittingOptions): Promise<FittedTable> {
  const { random, pause } = options
  const { universe, measurements } = past
  const { count, from } = toldRecords(past, random)
  const compiled = mixtureProblem(universe, measurements, count, priorShares(past, count, random))
  const { marginals } = compiled
  if (marginals.length === 0)
    throw problem(
      'not-estimable',
      'the history holds no counts that a mixture could be fitted to',
      'A mixture is fitted to counts over one to three attributes. Use --method maxent.',
    )
  const before = pause && ((member: number, all: number) => pause(member / all, `fit ${member + 1} of ${all}`))
  const mixture = await fitMixture(compiled, { random, ...(before && { before }) })
  const left = measurements.length - marginals.length
  const guessed = `No earlier answers determine the number of records: ${Math.round(count).toLocaleString('en-US')} is the model’s guess.`
  return {
    kind: 'mixture',
    table: new MixtureModel(universe, count, mixture),
    records: { count, from: from === 'public' ? from : 'history' },
    parameters: { answers: marginals.length },
    warnings: [
      ...(from === 'guessed' ? [guessed] : []),
      ...(left > 0
        ? [
            `${left} of ${measurements.length} answers are not counts over one to three attributes, or are too large for a mixture, and were left out.`,
          ]
        : []),
    ],
  }
}
