// The law that a refinement must have, in doubles: the twin that the mechanism is held against.
import { laplacePmf } from '../../src/numeric/index.ts'

/**
 * Pr(V = v) for the noise between two scales: nothing with probability (sinh(1/2from)/sinh(1/2to))², else discrete
 * Laplace(from).
 */
export function betweenPmf(from: number, to: number, v: number): number {
  const stays = (Math.sinh(1 / (2 * from)) / Math.sinh(1 / (2 * to))) ** 2
  return (v === 0 ? stays : 0) + (1 - stays) * laplacePmf(from, v)
}

/** Pr(old noise, new noise): the new one is drawn first, the old one is a blur of it. */
export const jointPmf = (from: number, to: number, old: number, fresh: number): number =>
  laplacePmf(to, fresh) * betweenPmf(from, to, old - fresh)

/** Pr(new noise | old noise). */
export const conditionalPmf = (from: number, to: number, old: number, fresh: number): number =>
  jointPmf(from, to, old, fresh) / laplacePmf(from, old)
