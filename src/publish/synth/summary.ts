import { answerSize, describe, lawToJson, type Measurement } from '../../query/index.ts'
import type { CheckedTable, ExpectedPairError, MeasuredBesideModel, SyntheticTable } from '../../release/index.ts'
import type { SynthFiles } from './files.ts'

/** What the numbers of a synthetic table are worth: from public numbers alone. */
export interface Quality {
  readonly tables: readonly MeasuredBesideModel[]
  readonly pairs: readonly ExpectedPairError[]
}

/** Everything about a synthetic table but its rows and its model: what NAME.synth.json holds. */
export function synthSummary(table: SyntheticTable, { pairs }: Quality, files: Pick<SynthFiles, 'names' | 'format'>) {
  const {
    dataset,
    method,
    free,
    parameters,
    neighbours,
    cost,
    budget,
    records,
    rows,
    steps,
    check,
    warnings,
    receipt,
  } = table
  const { universe } = table.model
  return {
    format: 'reticent-synth-1',
    dataset,
    method,
    ...(free && { free, answers: table.known.length }),
    parameters,
    neighbours,
    cost,
    budget,
    records,
    rows: rows[0]!.length,
    columns: universe.attributes.map(({ name, kind }) => ({ name, kind })),
    steps,
    measured: table.measured.map((measurement) => measuredOf(measurement, table)),
    known: table.known.map(({ id }) => id),
    expected: { variation: meanOf(pairs), how: howExpected, pairs },
    ...(check && { check: { ...check, how: howChecked } as CheckedTable & { readonly how: string } }),
    warnings,
    files: files.names,
    receipt,
  }
}
export type SynthSummary = ReturnType<typeof synthSummary>

const measuredOf = ({ id, query, law }: Measurement, { model: { universe } }: SyntheticTable) => ({
  id,
  query: describe(query, universe),
  cells: answerSize(query, universe),
  law: lawToJson(law),
})

/** Over the pairs that were measured together; null if none was. */
export function meanOf(pairs: readonly ExpectedPairError[]): number | null {
  const known = pairs.flatMap(({ variation }) => (variation === undefined ? [] : [variation]))
  return known.length > 0 ? known.reduce((sum, each) => sum + each, 0) / known.length : null
}

export const howExpected =
  'Expected total variation between the model and the private table, for every pair of attributes that was measured together. For the method pairs, the release was repeated on records drawn from its own model, and this is the error of that repetition; what the first model has lost inside groups of values is guessed from what wider groups would hide. For other methods it is estimated from the noise and from the misfit between model and answers, and tends to be too high, since all answers are fitted jointly. Nothing is known about pairs that were never measured together.'
export const howChecked =
  'Total variation between the finished table and the private one, over all pairs of attributes, with noise: this was bought.'
