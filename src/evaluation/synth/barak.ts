import { fromNumber } from '../../numeric/index.ts'
import { type Bits, discreteLaplace } from '../../trusted/random/index.ts'
import { degreeOf, hadamard } from './hadamard.ts'

/**
 * Barak et al. as the MWEM paper compares with (§3.2): all parities of one to k binary attributes with Laplace noise, and a
 * table made of them by multiplicative weights instead of a linear program. Under add-remove a record moves each by 1, so
 * noise of scale (number of parities)/ε is ε-private; the number of records is known. Evaluation only: its floats are not
 * private.
 */
export function barak(
  counts: Float64Array,
  { degree, epsilon, bits }: { readonly degree: number; readonly epsilon: number; readonly bits: Bits },
): Float64Array {
  const records = counts.reduce((a, b) => a + b, 0)
  const sets = Array.from(counts.keys()).filter((set) => degreeOf(set) >= 1 && degreeOf(set) <= degree)
  const scale = fromNumber(Number((sets.length / epsilon).toPrecision(6)))
  const exact = hadamard(counts.slice())
  const measured = new Map(
    sets.map((set) => {
      const noisy = exact[set]! + Number(discreteLaplace(scale, bits))
      return [set, Math.max(-records, Math.min(records, noisy))]
    }),
  )
  // Of all answers together, the squared noise to expect.
  const noise = sets.length * 2 * (sets.length / epsilon) ** 2
  return weighted(measured, counts.length, { records, noise })
}

/** So often every answer is replayed at most. */
const mostRounds = 10

/**
 * Multiplicative weights: every cell is multiplied by exp(parity · (measured - model)/2n), all parities in turn, until the
 * model is as near to the answers as noise lets the truth be. Beyond that the noise would be fitted.
 */
function weighted(
  measured: ReadonlyMap<number, number>,
  cells: number,
  { records, noise }: { readonly records: number; readonly noise: number },
): Float64Array {
  const model = new Float64Array(cells).fill(records / cells)
  const signs = Int8Array.from({ length: cells }, (_, bits) => (degreeOf(bits) % 2 === 0 ? 1 : -1))
  for (let round = 0; round < mostRounds; round++) {
    let squares = 0
    for (const [set, answer] of measured) {
      let now = 0
      for (let cell = 0; cell < cells; cell++) now += signs[set & cell]! * model[cell]!
      squares += (answer - now) ** 2
      const up = Math.exp((answer - now) / (2 * records))
      // What all cells then add up to.
      const total = (up * (records + now) + (records - now) / up) / 2
      const [more, less] = [(up * records) / total, records / up / total]
      for (let cell = 0; cell < cells; cell++) model[cell]! *= signs[set & cell]! > 0 ? more : less
    }
    if (squares <= noise) break
  }
  return model
}
