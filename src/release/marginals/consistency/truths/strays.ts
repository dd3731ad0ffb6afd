import { drawnKind, explained } from './mixture.ts'
import type { Noisy } from './prior.ts'

/** The variance of true counts around what is expected, m, in tables of this mean count: that of sampling, and as far as they stray. */
export const varianceAt = (m: number, mean: number, far: number): number => m + far * m ** power * mean ** (2 - power)
/** Large counts stray farther, but less far than in proportion. */
const power = 1.5

/** How far they stray, from not at all to beyond what a table of one large count has. */
const levels = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3]
/** Levels are so many parts apart, and as if so many tables more had been seen of each. */
const [apart, more] = [0.3, 0.5]

/**
 * Draws how far the counts of each table stray from what is expected. The table's own squares tell, less what noise adds to them on average; where noise
 * hides that, what the other tables have tells: empirical Bayes again.
 */
export function strays(tables: readonly Noisy[]): (table: number, random: () => number) => number {
  const likely = tables.map((table) => {
    const { own, off } = squares(table)
    return Float64Array.from(levels, (level) => {
      const spread = Math.hypot(off, apart * level)
      return Math.exp(-0.5 * Math.min(1000, ((own - level) / spread) ** 2)) / spread
    })
  })
  const shares = explained(likely, new Float64Array(levels.length).fill(more))
  return (table, random) =>
    levels[
      drawnKind(
        shares.map((share, k) => share * likely[table]![k]!),
        random,
      )
    ]!
}

/** The level that a table's squares are those of, and the deviation of that by noise alone. */
function squares({ values, expected, scale, freedom }: Noisy): { own: number; off: number } {
  const mean = expected.reduce((a, b) => a + b, 0) / values.length
  const noise = 2 * scale * scale
  let [sum, unit] = [0, Number.MIN_VALUE]
  for (let i = 0; i < values.length; i++) {
    const m = expected[i]!
    sum += (values[i]! - m) ** 2 / freedom - noise - m
    unit += varianceAt(m, mean, 1) - m
  }
  // The fourth moment of Laplace noise is six times its variance squared.
  return { own: sum / unit, off: Math.max((noise * Math.sqrt((5 * values.length) / freedom)) / unit, 1e-6) }
}
