import { toNumber } from '../../numeric/index.ts'
import type { Spending } from '../../trusted/accounting/index.ts'
import type { Family } from './family.ts'
import { type Curve, isotonic, type Span, zeroOf } from './kept.ts'
import type { Reading, Target } from './reading.ts'
import type { Scale } from './scale.ts'

/** What is known about one quantile, in the attribute's own units, per group. */
export interface KnownQuantile {
  /** NaN if the noise cannot tell. */
  readonly values: Float64Array
  readonly bounds: readonly { readonly low: number; readonly high: number }[]
  /** Of the counts that tell it, and maybe others. */
  readonly family: number
  readonly price: Spending
  /** Where it is a date. */
  readonly days?: Scale['days']
}

/** A number with the least and the greatest that it may be. */
export interface Located {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Where a span of codes lies, and the best guess inside of it; NaN if the span is all there is. */
export function locate(target: Target, span: Span, family: Family, reading: Reading, scale: Scale): Located {
  const [low, high] = [scale.least(span.after + 1), scale.greatest(span.upTo)]
  const isUnknown = span.after < family.from && span.upTo === family.to && family.from < family.to
  return { low, high, value: isUnknown ? Number.NaN : pointIn(target, span, reading, scale) }
}

/** The excess from the lower end of a span to the upper one, where it is surely below 0 and above. */
export function curveOf(target: Target, span: Span, reading: Reading): Curve {
  const known = reading.around(target, span)
  const share = toNumber(target.member.quantile.share)
  const n = Math.max(1, reading.records(target.group) ?? 1, ...known.map(({ excess }) => Math.abs(excess)))
  const at = (cut: number, otherwise: number) => known.find((k) => k.at === cut)?.excess ?? otherwise
  const inside = known.filter(({ at: cut }) => cut > span.after && cut < span.upTo).sort((a, b) => a.at - b.at)
  return {
    cuts: [span.after, ...inside.map((k) => k.at), span.upTo],
    heights: isotonic([
      Math.min(0, at(span.after, -share * n)),
      ...inside.map(({ excess }) => excess),
      Math.max(0, at(span.upTo, (1 - share) * n)),
    ]),
  }
}

function pointIn(target: Target, span: Span, reading: Reading, scale: Scale): number {
  const place = zeroOf(curveOf(target, span, reading))
  const code = Math.min(span.upTo, Math.max(span.after + 1, Math.ceil(place)))
  if (scale.isGrid) return scale.least(code)
  const [low, high] = [scale.least(code), scale.greatest(code)]
  return low + Math.min(1, Math.max(0, place - (code - 1))) * (high - low)
}

/** The same guess, moved as little as need be to lie within ± `within` of both ends, where these are near enough. */
export const centred = ({ value, low, high }: Located, within: number): number =>
  high - low <= 2 * within ? Math.min(low + within, Math.max(high - within, value)) : value
