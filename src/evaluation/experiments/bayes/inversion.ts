import type { Term } from '../../../inference/index.ts'

/**
 * Masses of the unit bins 0 … last of a sum of continuous Laplace noises, by the plain Fourier series: what the methods are
 * measured against. It shares nothing with them and takes its time.
 */
export function referenceMasses(terms: readonly Term[], last: number): Float64Array {
  const spreads = terms.map(({ law, coefficient }) => {
    if (law.kind !== 'continuous-laplace') throw new RangeError('the reference is for the continuous law')
    return (coefficient * law.scale) ** 2
  })
  // What lies beyond half the period comes back on the other side: nothing, for a `last` of ten deviations or more.
  const period = 8 * last
  const masses = new Float64Array(last + 1)
  for (let n = 0; ; n++) {
    const t = (2 * Math.PI * n) / period
    const phi = spreads.reduce((product, spread) => product / (1 + spread * t * t), 1)
    if (phi < 1e-18) return masses
    const weight = ((n === 0 ? 1 : 2) / period) * phi * (n === 0 ? 1 : Math.sin(t / 2) / (t / 2))
    for (let k = 0; k <= last; k++) masses[k]! += weight * Math.cos(t * k)
  }
}

/** Definition 4.2: Σ (u_i - E u_i)² over the bins, of a mass vector whose middle is 0. */
export function errorOf(masses: Float64Array, reference: Float64Array): number {
  const middle = (masses.length - 1) / 2
  return reference.reduce((sum, e, k) => sum + (k === 0 ? 1 : 2) * ((masses[middle + k] ?? 0) - e) ** 2, 0)
}
