import type { KnownPart } from './known-part.ts'

/** Of two ways to the same width: then the answer that was bought is handed out as it is. */
const rounding = 1e-9

/** Of what the history says and what a measurement says alone, group by group the narrower; at the measurement's price. */
export function narrower(told: KnownPart, alone: KnownPart, confidence: number) {
  const widths = Array.from(alone.values, (_, group) => {
    const [both, one] = [told, alone].map((of) => of.posterior(group).halfWidth(confidence)) as [number, number]
    return { both, one }
  })
  const better = widths.map(({ both, one }) => (both < one * (1 - rounding) ? told : alone))
  const part: KnownPart = {
    values: Float64Array.from(better, ({ values }, group) => values[group]!),
    posterior: (group) => better[group]!.posterior(group),
    sources: (group) => better[group]!.sources(group),
    price: alone.price,
  }
  return {
    part,
    /** Whether the history makes some group narrower, and none wider; but for rounding. */
    isNarrower: widths.some(({ both, one }) => both < one * (1 - rounding)),
    isNowhereWider: widths.every(({ both, one }) => both <= one * (1 + rounding)),
  }
}
