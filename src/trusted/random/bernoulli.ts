import type { Bits } from './bits.ts'
import { uniformBelow, uniformBelowBig } from './uniform.ts'

/*
 * Coins with exact probabilities (Canonne, Kamath, Steinke 2020, Algorithm 1). The plain forms take integers up to 2^53
 * as numbers, the Big forms take any; both decide by comparing integers alone.
 */

/** True with probability num/den; 0 ≤ num ≤ den. */
const bernoulli = (num: number, den: number, bits: Bits): boolean => uniformBelow(den, bits) < num

const bernoulliBig = (num: bigint, den: bigint, bits: Bits): boolean => uniformBelowBig(den, bits) < num

/** True with probability exp(-num/den), num ≥ 0. */
export function bernoulliExp(num: number, den: number, bits: Bits): boolean {
  // The double quotient of two integers below 2^53 never rounds up to a whole number that it has not reached.
  const whole = Math.floor(num / den)
  for (let i = 0; i < whole; i++) if (!bernoulliExpOne(bits)) return false
  return bernoulliExpBelowOne(num - whole * den, den, bits)
}

export function bernoulliExpBig(num: bigint, den: bigint, bits: Bits): boolean {
  const whole = num / den
  for (let i = 0n; i < whole; i++) if (!bernoulliExpOne(bits)) return false
  const rest = num - whole * den
  let k = 1
  while (bernoulliBig(rest, den, bits) && oneIn(k, bits)) k++
  return (k & 1) === 1
}

/**
 * exp(-num/den) for 0 ≤ num ≤ den: with γ = num/den the run of coins of probabilities γ/1, γ/2, γ/3, … ends at the k-th
 * with probability γ^(k-1)/(k-1)! - γ^k/k!, and the sum over odd k is the series of exp(-γ). A coin of γ/k is one of γ
 * and one of 1/k.
 */
export function bernoulliExpBelowOne(num: number, den: number, bits: Bits): boolean {
  let k = 1
  while (bernoulli(num, den, bits) && oneIn(k, bits)) k++
  return (k & 1) === 1
}

/** True with probability exp(-1). */
export function bernoulliExpOne(bits: Bits): boolean {
  let k = 1
  while (oneIn(k, bits)) k++
  return (k & 1) === 1
}

/**
 * True with probability (2/e)^times. A coin of exp(-1) goes on past its 1/2 or fails, so given that it goes on it is one of 2/e: the same
 * run of 1/3, 1/4, … that bernoulliExpOne ends with.
 */
export function bernoulliTwoOverE(times: number, bits: Bits): boolean {
  for (let i = 0; i < times; i++) {
    let k = 3
    while (oneIn(k, bits)) k++
    if ((k & 1) === 0) return false
  }
  return true
}

const oneIn = (k: number, bits: Bits): boolean => k === 1 || uniformBelow(k, bits) === 0
