/**
 * A discrete law for each value of a parent, as Walker's alias tables laid end to end: one word, one comparison, one
 * look-up per draw, however many outcomes there are.
 */
export interface Choice {
  readonly outcomes: number
  /** Below this fraction of its column the column itself is drawn, above it the column's alias. */
  readonly threshold: Float64Array
  readonly alias: Uint16Array
}

/** Vose's construction. One list of weights per value of the parent, all of the same length. */
export function choice(laws: readonly (readonly number[])[]): Choice {
  const outcomes = laws[0]!.length
  const threshold = new Float64Array(laws.length * outcomes)
  const alias = new Uint16Array(laws.length * outcomes)
  laws.forEach((weights, parent) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const height = weights.map((weight) => (weight * outcomes) / total)
    const small: number[] = []
    const large: number[] = []
    height.forEach((h, outcome) => {
      ;(h < 1 ? small : large).push(outcome)
      threshold[parent * outcomes + outcome] = 1
      alias[parent * outcomes + outcome] = outcome
    })
    while (small.length > 0 && large.length > 0) {
      const [low, high] = [small.pop()!, large.pop()!]
      threshold[parent * outcomes + low] = height[low]!
      alias[parent * outcomes + low] = high
      height[high] = height[high]! + height[low]! - 1
      ;(height[high]! < 1 ? small : large).push(high)
    }
  })
  return { outcomes, threshold, alias }
}

/** The outcome that 32 random bits choose. */
export function draw({ outcomes, threshold, alias }: Choice, parent: number, word: number): number {
  const place = ((word >>> 0) / 2 ** 32) * outcomes
  const column = place | 0
  const cell = parent * outcomes + column
  return place - column < threshold[cell]! ? column : alias[cell]!
}
