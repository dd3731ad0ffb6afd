import { type Arrangement, logInverseGaussian } from './arrangement.ts'

/** One an octave of coefficients, the last for all that are smaller still. */
const octaves = 64

/**
 * Where the error's characteristic function is below e^-enough from t on, up to where? The φ of a term with coefficient a is a
 * function of sin²(a·t/2), or falls all the way: from t to 2π/a - t it is no larger than at t. So terms that alone are below it at t, and have
 * coefficients of at most c, answer for all frequencies up to 2π/c - t: the fewer of the large coefficients they need,
 * the farther. 0 where the terms say nothing. In the arrangement's units.
 */
export function silentUntil(a: Arrangement, t: number, enough: number): number {
  logs.fill(0)
  largest.fill(0)
  for (let i = 0; i < a.kind.length; i++) {
    const coefficient = a.coefficient[i]!
    const isFalling = a.kind[i] === 1
    // Beyond π/a a term may be on its way back.
    if (!isFalling && coefficient * t > Math.PI) continue
    const octave = isFalling ? octaves - 1 : octaveOf(coefficient)
    logs[octave]! += a.count[i]! * logInverse(a, i, t)
    if (!isFalling && coefficient > largest[octave]!) largest[octave] = coefficient
  }
  let [sum, most] = [0, 0]
  for (let octave = octaves - 1; octave >= 0; octave--) {
    sum += logs[octave]!
    most = Math.max(most, largest[octave]!)
    if (sum >= enough) return most === 0 ? Number.POSITIVE_INFINITY : (2 * Math.PI) / most - t
  }
  return 0
}
const logs = new Float64Array(octaves)
const largest = new Float64Array(octaves)

const octaveOf = (coefficient: number): number =>
  Math.min(octaves - 1, Math.max(0, Math.floor(4 - Math.log2(coefficient))))

function logInverse(a: Arrangement, i: number, t: number): number {
  const x = a.coefficient[i]! * t
  const parameter = a.parameter[i]!
  if (a.kind[i] === 2) return logInverseGaussian(parameter, x)
  const root = a.kind[i] === 0 ? Math.sin(x / 2) : x
  return Math.log1p(parameter * root * root)
}
