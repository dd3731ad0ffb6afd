import { fromNumber } from '../../numeric/index.ts'
import { type Bits, discreteLaplaces } from '../../trusted/random/index.ts'
import { meanReciprocal } from './overall-error.ts'

/** What to reach, and with what: the price of a marginal with noise of scale 1 is 2 where a record is replaced, else 1. */
interface OracleOptions {
  readonly epsilon: number
  readonly floor: number
  readonly unitPrice: number
}

/**
 * The scales with the least expected overall error (§5.2): λ_i ∝ √(|M_i|/Σ_j 1/max(δ, q_ij)), with Σ unitPrice/λ_i = ε.
 * They are functions of the exact counts: this is NOT private, and is what private methods are measured against.
 */
export function oracleScales(exact: readonly Float64Array[], options: OracleOptions): number[] {
  const { epsilon, floor, unitPrice } = options
  const shapes = exact.map((counts) => 1 / Math.sqrt(meanReciprocal(counts, floor)))
  const price = shapes.reduce((sum, shape) => sum + unitPrice / shape, 0)
  return shapes.map((shape) => (shape * price) / epsilon)
}

/** The marginals with discrete Laplace noise of the oracle's scales. */
export const oracle = (exact: readonly Float64Array[], options: OracleOptions, bits: Bits): Float64Array[] =>
  oracleScales(exact, options).map((scale, m) => addNoise(exact[m]!, scale, bits))

function addNoise(counts: Float64Array, scale: number, bits: Bits): Float64Array {
  const noise = discreteLaplaces(fromNumber(scale), counts.length, bits)
  return counts.map((count, i) => count + Number(noise[i]))
}
