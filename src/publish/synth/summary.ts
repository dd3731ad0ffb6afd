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

/** Over the pairs that were measured together; null where none was. */
export function meanOf(pairs: readonly ExpectedPairError[]): number | null {
  const known = pairs.flatMap(({ variation }) => (variation === undefined ? [] : [variation]))
  return known.length > 0 ? known.reduce((sum, each) => sum + each, 0) / known.length : null
}

export const howExpected =
  'Expected total variation between the model and the private table, for every pair of attributes that was measured together. Where the method is all pairs, the release was done once more on records drawn from its own model, which are known, and this is how far off it came out; what the first model has lost, such as structure inside groups of values that were measured as one, comes on top. For other methods it is what the noise, and what the model leaves unexplained of the answers, comes to, and rather too high, since all answers are fitted at once. Of pairs that were never measured together nothing is known.'
export const howChecked =
  'Total variation between the finished table and the private one, over all pairs of attributes, told with noise: this was bought.'
