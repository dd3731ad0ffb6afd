/** How much noise is needed: the generalised sensitivity (Definition 4) of the queries at these scales. */
type GeneralisedSensitivity = (scales: readonly number[]) => number

/**
 * The scales that Proportional (§3.1) takes: λ_i = c·max(q_i, δ), and c so that the generalised sensitivity is ε. They depend
 * on the exact answers, so this is NOT private: Example 1 shows it, and the auditor must catch it.
 */
export function proportionalScales(
  exact: readonly number[],
  options: { floor: number; epsilon: number; sensitivity: GeneralisedSensitivity },
): number[] {
  const shapes = exact.map((answer) => Math.max(answer, options.floor))
  const c = options.sensitivity(shapes) / options.epsilon
  return shapes.map((shape) => c * shape)
}

/** ln of the density of answers with Laplace noise of these scales at an output. */
export const logDensity = (exact: readonly number[], scales: readonly number[], output: readonly number[]): number =>
  exact.reduce((sum, q, i) => sum - Math.abs(output[i]! - q) / scales[i]! - Math.log(2 * scales[i]!), 0)
