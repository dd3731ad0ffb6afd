import { compare, multiply, type Rational, rational } from '../../numeric/index.ts'
import { type Grid, type LinearQuery, type NoiseLaw, type QueryList, scaleAt } from '../../query/index.ts'
import type { MeasurementCharge } from './charge.ts'
import { DistanceSensitivities } from './distance-sensitivity.ts'
import { noiseFor, type Terms, varianceFor } from './price.ts'
import type { Spending } from './spending.ts'
import { chargeUnits, unitsToRational } from './units.ts'

/** What a run may cost every record, in one of the currencies. */
export type Held =
  | { readonly epsilon: Rational; readonly rho?: undefined }
  | { readonly rho: Rational; readonly epsilon?: undefined }

const half = rational(1, 2)

/**
 * What a run holds for every record until it closes. One that holds ε holds ε²/2 in ρ, as any ε-private release, of the ε
 * that has been rounded up, since the run may go that far. One that holds ρ may draw Gaussian noise, which no ε covers.
 * Runs are calibrated to the policy's own relation and unit, so nothing multiplies this.
 */
export function runHold(held: Held): Spending {
  if (held.rho) return { epsilon: Number.POSITIVE_INFINITY, rho: chargeUnits(held.rho) }
  const epsilon = chargeUnits(held.epsilon)
  return { epsilon, rho: Number.isFinite(epsilon) ? chargeUnits(halfSquare(unitsToRational(epsilon))) : epsilon }
}

const halfSquare = (value: Rational): Rational => multiply(half, multiply(value, value))

/**
 * The sharpest that a run may show of each query by itself: at the end of the grid, or as answered once for all that it
 * holds, whichever is less sharp. Answers that share what is held tell no more together: docs/algorithms/refinement.md
 */
export function reachOf(
  run: Held & { readonly queries: QueryList; readonly grid: Grid | null },
  terms: Terms,
  moved = new DistanceSensitivities(run.queries, terms),
): MeasurementCharge[] {
  const { queries, grid, rho, epsilon } = run
  const last = grid && scaleAt(grid, grid.count - 1)
  const law = (query: LinearQuery, i: number): NoiseLaw => {
    if (rho) return { kind: 'gaussian', variance: varianceFor(query, rho, terms) }
    const dearest = noiseFor(moved.of(i), epsilon)
    return { kind: 'laplace', scale: last && compare(last, dearest) > 0 ? last : dearest }
  }
  return Array.from(queries, (query, i) => ({ kind: 'measurement', query, law: law(query, i) }))
}
