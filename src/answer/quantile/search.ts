import { answerSize, type LinearQuery, type NoiseLaw } from '../../query/index.ts'
import { attributeNamed } from '../../schema/index.ts'
import type { GroupSize } from '../price/dwarfed.ts'
import type { Session } from '../session.ts'
import type { Family, Member } from './family.ts'
import { type Span, sizeOf, widestMargin, zeroOf } from './kept.ts'
import { curveOf, type Located, locate } from './known-quantile.ts'
import { Reading, type Target } from './reading.ts'
import { type Scale, scaleOf } from './scale.ts'

/** Counts of ranges that are to be bought next, and with how much noise. */
export interface Count {
  readonly query: LinearQuery
  readonly law: NoiseLaw
}

/** How a family's quantiles are found. */
export interface Search {
  readonly ground: Ground
  /** What to count next; undefined where all is known that is wanted, or can be. */
  next(): Count | undefined
  /** Takes note that it was counted: the history tells what. */
  learn(): void
  /** Of the estimate, where it is wanted near the middle of its interval. */
  within?(member: Member): number
  /** Whether groups are left less precise than was asked for, since the others dwarf them. */
  readonly hasDwarfed?: boolean
}

/** So many standard deviations are told from noise. */
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

  /** Rules out what is not compatible with the history: the true value only with the doubt of its quantile, times `share`. */
  narrow(doubt: (member: Member) => number, share: number): void {
    // Quantiles of one family may have to be sure to different degrees; all targets are narrowed by the least doubt.
    const least = Math.min(...this.family.quantiles.map(doubt))
    this.spans = this.reading.narrowed(this.targets, this.spans, least * share)
  }

  /** How many records each group has, as far as counts of ranges tell. */
  get sizes(): readonly GroupSize[] {
    const groups = answerSize(this.family.records, this.session.book.universe)
    return Array.from({ length: groups }, (_, group) => this.reading.size(group))
  }

  /** Whether the history says anything about where the quantiles are. */
  get hasEvidence(): boolean {
    return this.reading.hasEvidence(this.family.quantiles[0]!)
  }

  /**
   * How far the excess is from 0 at the two ends of an interval within ± `within`, placed where the nearer end is farthest:
   * noise that is smaller tells both ends apart from the quantile. With it the standard deviation of an excess now; undefined
   * where too little is known.
   */
  marginAt(i: number, within: number): { readonly margin: number; readonly deviation: number } | undefined {
    const [target, span] = [this.targets[i]!, this.spans[i]!]
    const curve = curveOf(target, span, this.reading)
    const deviation = this.reading.nearest(target, zeroOf(curve))
    if (deviation === undefined) return undefined
    const codes = Math.floor(this.codesIn(span, 2 * within) * (1 + 1e-9)) + (this.scale.isGrid ? 1 : 0)
    const margin = widestMargin(curve, Math.max(1, codes))
    if (margin > clearly * deviation) return { margin, deviation }
    // Noise hides it here; over all of the span it is the mean rise that counts, where some values were ruled out at all.
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
