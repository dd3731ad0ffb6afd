import { cutsBetween, united } from './candidates.ts'
import { type Span, sizeOf } from './kept.ts'

/** One step divides what is left into this many ranges. */
const fanOut = 16
/** Up to this many codes are counted one by one. */
const fewCodes = 20
/** A step shortens what is left by about this factor: because of noise it is less than `fanOut`. */
const shortening = 8

/**
 * Where the next step counts: at the ends of what is left of each target, and evenly in between. The shortest spans come
 * first, and longer ones are divided outside of them, so that a group that is lost does not blur the others.
 */
export function cutsFor(spans: readonly Span[], from: number, to: number, finest = 1): number[] {
  const cuts = new Set<number>()
  let covered: Span[] = []
  for (const span of distinct(spans).sort((a, b) => sizeOf(a) - sizeOf(b))) {
    const step = sizeOf(span) <= fewCodes ? finest : Math.max(finest, Math.ceil(sizeOf(span) / fanOut))
    const isFiner = (cut: number) => covered.some(({ after, upTo }) => cut > after && cut < upTo)
    for (const cut of [span.after, ...cutsBetween(span.after, span.upTo, step), span.upTo])
      if (!isFiner(cut)) cuts.add(cut)
    covered = united([...covered, span])
  }
  return [...cuts].filter((cut) => cut >= from && cut < to).sort((a, b) => a - b)
}

const distinct = (spans: readonly Span[]): Span[] => [
  ...new Map(spans.map((span) => [`${span.after} ${span.upTo}`, span])).values(),
]

/** About how many steps lead to single codes. */
export const stepsFor = (size: number): number =>
  size <= fewCodes ? 1 : 1 + Math.ceil(Math.log(size / fewCodes) / Math.log(shortening))

/** The share of the remaining price that the next of this many steps gets: later steps are finer, and get more. */
export function shareOf(stepsLeft: number): number {
  let sum = 0
  for (let i = 0; i < stepsLeft; i++) sum += growth ** i
  return 1 / sum
}
const growth = 1.4
