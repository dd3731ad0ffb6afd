import type { KnownPart } from './known-part.ts'

/** Of two ways to the same width: then the answer that was bought is handed out as it is. */
const rounding = 1e-9

/** Of what the history says and what a measurement says alone, group by group the narrower; at the measurement's price. */
export function narrower(told: KnownPart, alone: KnownPart, confidence: number) {
  const isTold = new Uint8Array(alone.values.length)
  let isNowhereWider = true
  for (let group = 0; group < isTold.length; group++) {
    const [both, one] = [told, alone].map((of) => of.errorLaw(group).halfWidth(confidence)) as [number, number]
    if (both < one * (1 - rounding)) isTold[group] = 1
    if (both > one * (1 + rounding)) isNowhereWider = false
  }
  const better = (group: number): KnownPart => (isTold[group] ? told : alone)
  const part: KnownPart = {
    values: alone.values.map((_, group) => better(group).values[group]!),
    errorLaw: (group) => better(group).errorLaw(group),
    sources: (group) => better(group).sources(group),
    price: alone.price,
    ...(!isTold.includes(0) ? { origin: told.origin } : !isTold.includes(1) ? { origin: alone.origin } : {}),
  }
  /** Whether the history makes some group narrower, and none wider; but for rounding. */
  return { part, isNarrower: isTold.includes(1), isNowhereWider }
}
