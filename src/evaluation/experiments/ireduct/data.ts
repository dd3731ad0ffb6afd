import { type CodedTable, generatedTable, type SharedName, sharedTable } from '../../marginals/index.ts'
import type { ExperimentOptions } from '../experiment.ts'

/** What holds in every experiment here. */
export const model =
  'replace-one (§2.1), so the number of records n is public and a marginal with noise of scale λ costs 2/λ'

/** The tables of an experiment, and what a reader must know of those that are not there. */
interface Tables {
  readonly tables: readonly CodedTable[]
  readonly notes: readonly string[]
}

const shared: readonly SharedName[] = ['census_income', 'acs2016']

/**
 * The generated census, with as many rows as the paper's Brazil, and real tables where they lie beside the project: the
 * paper's own are not public. For a first look a small census is enough.
 */
export function tablesFor({ quick, seed }: ExperimentOptions): Tables {
  if (quick)
    return { tables: [generatedTable(100_000, seed)], notes: ['--quick: the generated census alone, 100,000 rows.'] }
  const found = shared.map((name) => sharedTable(name))
  const missing = shared.filter((_, i) => !found[i])
  return {
    tables: [generatedTable(10_000_000, seed), ...found.filter((table) => table !== undefined)],
    notes: missing.length === 0 ? [] : [`Left out, as ../shared/data does not have them: ${missing.join(', ')}.`],
  }
}
