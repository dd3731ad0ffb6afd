import type { RatioContext } from './context.ts'
import type { Sizes } from './sizes.ts'
import type { Stages } from './stages.ts'

/** The noises of a denominator that are compared, as fractions of the one that would take up the whole half-width: 2^(k/4). */
const parts = Array.from({ length: 33 }, (_, k) => 2 ** ((k - 28) / 4))

/** The noises of all parts that cost least together, if numerators and denominators are as estimated. */
export function balanced({ needs }: RatioContext, sizes: Sizes, stages: Stages): Map<number, number> {
  const noises = new Map<number, number>()
  const keep = (part: number, size: number) => noises.set(part, Math.min(noises.get(part) ?? Infinity, size))
  for (const goal of needs.ratios) {
    const { numerator, denominator } = goal.ratio
    const width = goal.within * sizes.smallest(goal)!.size
    // An interval's ends lie beyond the ratio.
    const far = sizes.reach(goal).middle + goal.within
    const [up, down] = [Math.abs(numerator.times), Math.abs(denominator.times)]
    let best = { price: Infinity, x: 0, y: 0 }
    for (const part of parts) {
      const y = (part * width) / far
      const x = stages.widths.largest(width, far * y)
      if (!(x > 0)) break
      const price = stages.noise(numerator.part).price(x / up) + stages.noise(denominator.part).price(y / down)
      if (price < best.price) best = { price, x, y }
    }
    keep(numerator.part, best.x / up)
    keep(denominator.part, best.y / down)
  }
  return noises
}
