import type { Bits } from '../../../trusted/random/index.ts'

/** Doubles in [0, 1) with 53 random bits. */
export type Uniform = () => number

export const uniforms =
  (bits: Bits): Uniform =>
  () =>
    ((bits.uint32() >>> 11) * 2 ** 32 + bits.uint32()) / 2 ** 53

/** Laplace noise as a textbook has it, in floating point: a logarithm with a random sign. Not private. */
export const floatLaplace = (scale: number, uniform: Uniform): number => {
  const magnitude = -scale * Math.log(1 - uniform())
  return uniform() < 0.5 ? -magnitude : magnitude
}
