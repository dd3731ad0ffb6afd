/**
 * How much more often an interval may miss because its noises were chosen on the way, by the doubt that the interval itself has. For
 * Laplace noise that is refined to a third … a sixth, and for Gaussian noise that is bought afresh, where the numerator's last noise was chosen
 * after a first look at it and after the denominator was seen; and for descents. Computed by `scripts/tables/ratio-doubt.ts` and
 * `ratio-descent.ts`; why: docs/algorithms/ratios.md
 */
export const inflations = {
  laplace: [
    [0.3, 1.33],
    [0.1, 1.59],
    [0.035, 1.84],
    [0.01, 2.12],
    [0.001, 2.75],
    [1e-4, 3.4],
    [1e-6, 4.3],
    [1e-10, 8],
  ],
  /** Both parts refined together until the interval is narrow enough. */
  descent: [
    [0.3, 1.35],
    [0.1, 1.5],
    [0.025, 1.7],
    [0.01, 1.85],
    [0.001, 2.3],
    [1e-4, 2.7],
    [1e-6, 3.5],
    [1e-10, 6],
  ],
  gaussian: [
    [0.3, 1.21],
    [0.1, 1.29],
    [0.035, 1.35],
    [0.001, 1.5],
    [1e-4, 1.57],
    [1e-6, 1.75],
    [1e-10, 2.1],
  ],
} as const

type Noise = keyof typeof inflations

/** The doubt that an interval may have whose laws are chosen on the way, so that it misses with `doubt` at most. */
export function chosenDoubt(doubt: number, noise: Noise): number {
  for (const [least, factor] of inflations[noise]) if (doubt / factor >= least) return doubt / factor
  return 0
}
