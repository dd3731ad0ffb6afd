import type { Measurement } from '../../../query/index.ts'
import type { Universe } from '../../../schema/index.ts'
import { type ExpectedErrors, expectedErrors } from './bootstrap.ts'
import { type CellLaw, type Combined, combine, precisionOf, wholeMarginals } from './combine.ts'
import { type Fitted, fitted, wholeTables } from './fit.ts'

/** Marginals made to agree, from released numbers alone. */
export interface Consistent extends Pick<Fitted, 'total'> {
  /** Best linear estimates: they agree with each other exactly, and may be negative. */
  readonly combined: Combined['tables']
  /** The law of the error in a cell of each. */
  readonly laws: readonly CellLaw[]
  /** Whole numbers, none negative, with one total and the same counts of single values. */
  readonly counts: readonly Float64Array[]
  /** Before they were rounded. */
  readonly unrounded: readonly Float64Array[]
  /** The mean relative error to expect in each table, by redrawing the noise around plausible tables. */
  expectedErrors(floor: number): ExpectedErrors
}

/**
 * What all full marginals that were ever measured say about these: combined, then fitted. `measurements` is everything
 * that still counts; anything but full marginals is ignored. Throws if they do not determine these marginals. docs/algorithms/marginals-afterwards.md
 */
export function consistentMarginals(
  universe: Universe,
  marginals: readonly (readonly string[])[],
  given: { readonly measurements: readonly Measurement[]; readonly random: () => number },
): Consistent {
  const from = { measurements: wholeMarginals(given.measurements), random: given.random }
  const precision = precisionOf(universe, marginals, from)
  const combined = combine(universe, marginals, from.measurements)
  const fit = fitted(universe, marginals, combined, { precision })
  return {
    total: fit.total,
    combined: combined.tables,
    laws: precision.tables,
    counts: wholeTables(marginals, fit),
    unrounded: fit.tables,
    expectedErrors: (floor) => expectedErrors(universe, marginals, { ...from, precision, combined, floor }),
  }
}
