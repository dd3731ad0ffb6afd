import { answerSize, type LinearQuery, type NoiseLaw } from '../../query/index.ts'
import { attributeNamed } from '../../schema/index.ts'
import type { GroupSize } from '../price/dwarfed.ts'
import type { Session } from '../session.ts'
import type { Family, Member } from './family.ts'
import { type Span, sizeOf, widestMargin, zeroOf } from './kept.ts'
import { curveOf, type Located, locate } from './known-quantile.ts'
import { Reading, type Target } from './reading.ts'
import { type Scale, scaleOf } from './scale.ts'

/** Counts of ranges to buy next, and their noise. */
export interface Count {
  readonly query: LinearQuery
  readonly law: NoiseLaw
}

/** How a family's quantiles are found. */
export interface Search {
  readonly ground: Ground
  /** What to count next; undefined if all is known that is wanted, or can be. */
  next(): Count | undefined
  /** Notes that it was counted; the result is in the history. */
  learn(): void
  /** The requested half-width, if the estimate should be within it of both ends of its interval. */
  within?(member: Member): number
  /** Whether groups are left less precise than requested, because the others dwarf them. */
  readonly hasDwarfed?: boolean
}

/** An excess of this many standard deviations is not noise. */
const clearly = 2

/** What is left to find: where each quantile of a family may lie, in each group. */
export class Ground {
  readonly family: Family
  readonly scale: Scale
  readonly targets: readonly Target[]
  readonly session: Session
  spans: readonly Span[]
  reading: Reading

  constructor(family: Family, session: Session) {
    const { universe } = session.book
    this.family = family
    this.session = session
    this.scale = scaleOf(attributeNamed(universe, family.attribute))
    const groups = answerSize(family.records, universe)
    this.targets = family.quantiles.flatMap((member) =>
      Array.from({ length: groups }, (_, group) => ({ member, group })),
    )
    const whole = { after: family.from - 1, upTo: family.to }
    this.spans = this.targets.map(() => whole)
    this.reading = new Reading(family, session)
  }

  /** The history may have grown. */
  reread(): void {
    this.reading = new Reading(this.family, this.session)
  }

  /** Rules out values that the history contradicts. The true value is ruled out with at most the quantile's doubt, times `share`. */
  narrow(doubt: (member: Member) => number, share: number): void {
    // Quantiles of one family may have different doubts; all targets are narrowed with the smallest.
    const least = Math.min(...this.family.quantiles.map(doubt))
    this.spans = this.reading.narrowed(this.targets, this.spans, least * share)
  }

  /** How many records each group has, by the counts of ranges. */
  get sizes(): readonly GroupSize[] {
    const groups = answerSize(this.family.records, this.session.book.universe)
    return Array.from({ length: groups }, (_, group) => this.reading.size(group))
  }

  /** Whether the history says anything about where the quantiles are. */
  get hasEvidence(): boolean {
    return this.reading.hasEvidence(this.family.quantiles[0]!)
  }

  /**
   * How far the excess is from 0 at both ends of an interval within ± `within`, for the position where that is largest: with less
   * noise than this margin both ends are known to be on their sides of the quantile. Also the present standard deviation of an
   * excess. Undefined if too little is known.
   */
  marginAt(i: number, within: number): { readonly margin: number; readonly deviation: number } | undefined {
    const [target, span] = [this.targets[i]!, this.spans[i]!]
    const curve = curveOf(target, span, this.reading)
    const deviation = this.reading.nearest(target, zeroOf(curve))
    if (deviation === undefined) return undefined
    const codes = Math.floor(this.codesIn(span, 2 * within) * (1 + 1e-9)) + (this.scale.isGrid ? 1 : 0)
    const margin = widestMargin(curve, Math.max(1, codes))
    if (margin > clearly * deviation) return { margin, deviation }
    // Noise hides it here. If some values were ruled out already, the mean rise over the whole span is a guide.
    if (2 * sizeOf(span) > this.family.to - this.family.from + 1) return undefined
    const rise = (curve.heights.at(-1)! - curve.heights[0]!) / sizeOf(span)
    return { margin: Math.max(margin, (codes / 2) * rise), deviation }
  }

  /** How many codes make up a length, near a span. */
  codesIn({ after, upTo }: Span, length: number): number {
    const { scale } = this
    const steps = Math.max(1, upTo - after - (scale.isGrid ? 1 : 0))
    const mean = (scale.greatest(upTo) - scale.least(after + 1)) / steps
    return mean > 0 ? length / mean : 1
  }

  get isSettled(): boolean {
    return this.spans.every((span) => sizeOf(span) <= 1)
  }

  located(i: number): Located {
    return locate(this.targets[i]!, this.spans[i]!, this.family, this.reading, this.scale)
  }
}
