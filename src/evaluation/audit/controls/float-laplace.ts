import { likelihood } from '../feature.ts'
import { type Mechanism, pairsOf } from '../mechanism.ts'
import { floatLaplace, uniforms } from './float.ts'

const view = new DataView(new ArrayBuffer(8))

/** The exponents of a double's highest and lowest set bits: which grid it lies on tells how it was computed. */
function grid(v: number): string {
  if (v === 0) return 'zero'
  view.setFloat64(0, v)
  const exponent = (view.getUint32(0) >>> 20) & 0x7ff
  const [high, low] = [view.getUint32(0) & 0xfffff, view.getUint32(4)]
  // Zeros at the end of the 52 stored bits; with none set, the implicit one before them is the lowest.
  const zeros = low !== 0 ? trailingZeros(low) : high !== 0 ? 32 + trailingZeros(high) : 52
  return `${exponent} ${exponent - zeros}`
}

const trailingZeros = (word: number): number => 31 - Math.clz32(word & -word)

export const floatLaplaceControl: Mechanism = {
  name: 'float-laplace',
  kind: 'control',
  about: 'Laplace noise in floating point: the low bits of the sum tell which sums are possible (Mironov 2012)',
  claim: { epsilon: 1, delta: 0 },
  pairs: pairsOf([['exact answers 0 and 1', 0, 1]], (exact: number, bits) => [exact + floatLaplace(1, uniforms(bits))]),
  features: [likelihood('likelihood ratio of the low bits', (output) => grid(Number(output[0])))],
}
