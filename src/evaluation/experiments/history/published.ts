import { type FittedTable, fitMaxent } from '../../../inference/index.ts'
import { rational } from '../../../numeric/index.ts'
import { marginal } from '../../../query/index.ts'
import { universe } from '../../../schema/index.ts'
import { discreteLaplace } from '../../../trusted/random/index.ts'
import { type CodedTable, countMarginals } from '../../marginals/index.ts'
import { flipping, type PerturbedTable, retentionReplacement } from '../../perturbation/index.ts'
import { type SeededBits, seededBits } from '../../seeded.ts'
import type { ExperimentOptions } from '../experiment.ts'
import { tablesFor } from './past.ts'

/** What the whole table is published for. */
export const epsilon = 1

/** What holds where whole tables are published (§5.2). */
export const publishedNote =
  'Replace-one: n is public. All pairs of attributes are measured at ε = 1: of nine, with noise of scale 72 (the paper’s 36 costs ε = 2 here). The perturbations have γ-amplification e^ε for a whole record, which is ε-differential privacy without a trusted owner; their estimates are unbiased and then made a distribution.'

/** A table, and what each way to publish it tells. */
export interface Published {
  readonly table: CodedTable
  readonly fitted: FittedTable
  /** Of maximum entropy: as many as the table has. */
  readonly synthetic: CodedTable
  readonly retention: PerturbedTable
  readonly flipped: PerturbedTable
  /** Of measuring and fitting, in milliseconds. */
  readonly time: number
}

/** For a first look four attributes of a small table. */
export function tablesToPublish(options: ExperimentOptions): CodedTable[] {
  const tables = tablesFor(options)
  if (!options.quick) return tables
  return tables.map((table) => ({
    ...table,
    universe: universe(table.universe.attributes.slice(0, 4)),
    columns: table.columns.slice(0, 4),
  }))
}

export async function published(table: CodedTable, options: ExperimentOptions): Promise<Published> {
  const bits = seededBits(options.seed)
  options.progress(`${table.name}: maximum entropy`)
  const began = options.now()
  const measurements = noisyPairs(table, bits)
  const past = { universe: table.universe, measurements, records: table.rows }
  const fitted = await fitMaxent(past, {
    random: bits.uniform,
    rows: table.rows,
    ...(options.quick && { chains: 300 }),
  })
  const time = options.now() - began
  const rows = fitted.table.rows(table.rows, bits.uniform)
  options.progress(`${table.name}: perturbations`)
  return {
    table,
    fitted,
    synthetic: { ...table, columns: rows.map((column) => Uint16Array.from(column)) },
    retention: retentionReplacement(table, epsilon, bits.uniform),
    flipped: flipping(table, epsilon, bits.uniform),
    time,
  }
}

/** Every pair of attributes; a record that is replaced changes two counts of each. */
function noisyPairs(table: CodedTable, bits: SeededBits) {
  const names = table.universe.attributes.map(({ name }) => name)
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]))
  const scale = rational((2 * pairs.length) / epsilon)
  return countMarginals(table, pairs).counts.map((counts, i) => ({
    id: `${i + 1}.0`,
    query: marginal(pairs[i]!),
    law: { kind: 'laplace', scale } as const,
    values: counts.map((count) => count + Number(discreteLaplace(scale, bits))),
  }))
}
