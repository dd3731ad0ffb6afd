import { bernoulliExpBelowOne, bernoulliExpBig, bernoulliExpOne } from './bernoulli.ts'
import type { Bits } from './bits.ts'
import { uniformBelow, uniformBelowBig } from './uniform.ts'

/*
 * The geometric law Pr(G ≥ k) = exp(-k·s/t), exactly (the inner part of Canonne, Kamath, Steinke 2020, Algorithm 2): X
 * with Pr(X ≥ x) = exp(-x/t) is U + tV with U on 0 … t-1 of weight exp(-U/t) and V counting coins of exp(-1); G =
 * floor(X/s).
 */

/** Numerators and denominators below this stay in doubles. */
export const smallLimit = 2 ** 26

/** For integers t, s below 2^26. U + tV stays below 2^53 while V < 2^26; a V beyond that has probability exp(-2^26). */
export function geometricSmall(t: number, s: number, bits: Bits): number {
  let u = uniformBelow(t, bits)
  while (!bernoulliExpBelowOne(u, t, bits)) u = uniformBelow(t, bits)
  let v = 0
  while (bernoulliExpOne(bits)) v++
  return Math.floor((u + t * v) / s)
}

/** For any positive integers. */
export function geometricBig(t: bigint, s: bigint, bits: Bits): bigint {
  let u = uniformBelowBig(t, bits)
  while (!bernoulliExpBig(u, t, bits)) u = uniformBelowBig(t, bits)
  let v = 0n
  while (bernoulliExpOne(bits)) v++
  return (u + t * v) / s
}
