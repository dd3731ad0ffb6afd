/**
 * The kernel that blurs a law on no lattice: density ∝ √(1-x²)·I_1(β√(1-x²)) on [-1, 1], I_1 the modified Bessel
 * function, so everything moves by at most 1. Its transform is (z cosh z - sinh z)/z³ at z = √(β²-s²), over the same at
 * β (Sonine's integral): within 10^-9 of nothing beyond s = β, and falling like 1/s² there.
 */
const beta = 30

/** The frequency, times the half-width, from which on the transform is negligible. */
export const kernelReach = beta

function bell(square: number): number {
  const z = Math.sqrt(Math.abs(square))
  // Below 0.1 the series 1/3 + z²/30 + z⁴/840 is right to z⁶/45360 = 2·10^-11 of 10^9 at β: nothing.
  if (z < 0.1) return 1 / 3 + square / 30 + (square * square) / 840
  const cube = z * z * z
  if (square < 0) return (Math.sin(z) - z * Math.cos(z)) / cube
  const e = Math.exp(z)
  return ((z - 1) * e + (z + 1) / e) / (2 * cube)
}
const top = bell(beta * beta)

/** The transform at frequency × half-width = s. */
export const kernelTransform = (s: number): number => bell(beta * beta - s * s) / top

/**
 * A bound of (2/π)·Σ |transform(n·s)|/n over n ≥ first, where first·s ≥ β: what is lost when a series stops before
 * `first`. |bell| ≤ (7/3)/(1 + s² - β²) beyond β, which is at most (7/3)/D·(first/n)² with D its denominator at first;
 * and Σ first²/n³ ≤ 1/2 + 1/first.
 */
export function kernelLoss(first: number, s: number): number {
  const denominator = 1 + (first * s) ** 2 - beta * beta
  return ((14 / (3 * Math.PI)) * (0.5 + 1 / first)) / (denominator * top)
}
