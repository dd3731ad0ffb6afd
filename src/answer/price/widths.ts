import { toNumber } from '../../numeric/index.ts'
import type { LinearQuery, Statement } from '../../query/index.ts'
import type { Book } from '../../trusted/ledger/index.ts'
import { confidenceFor } from '../compose.ts'
import type { Ratio } from '../ratio/ratio.ts'
import type { Within } from '../requirement.ts'
import type { Needs } from './needs.ts'
import { checkRange, type Range, widthsOf } from './range.ts'

/** Refuses half-widths, and floors, that no noise in range makes. */
export function checkWidths({ parts, ...statement }: Statement, wanted: Within, needs: Needs, book: Book): void {
  const { within, floor } = wanted
  const confidence = confidenceFor({ parts, ...statement }, wanted)
  for (const [part, need] of needs.parts.entries())
    if (need < Infinity) checkRange('the half-width', within, widthsOf(parts[part]!, within / need, confidence, book))
  for (const { ratio } of needs.ratios) {
    checkRange('the half-width', within, ratioWidths(ratio, parts))
    const { part, times } = ratio.denominator
    if (floor !== undefined) checkRange('the floor', floor, widthsOf(parts[part]!, times, confidence, book))
  }
}

/** Fifteen digits on either side of what one step more of the numerator does for one step of the denominator. */
function ratioWidths({ numerator, denominator, times }: Ratio, parts: readonly LinearQuery[]): Range {
  const stepOf = (of: Ratio['numerator']) => Math.abs(of.times) * toNumber(parts[of.part]!.step)
  const unit = (Math.abs(times) * stepOf(numerator)) / stepOf(denominator)
  return { least: 1e-15 * unit, most: 1e15 * unit }
}
