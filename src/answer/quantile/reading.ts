import { toNumber } from '../../numeric/index.ts'
import { answerSize } from '../../query/index.ts'
import type { Known } from '../known/known.ts'
import type { GroupSize } from '../price/dwarfed.ts'
import type { Session } from '../session.ts'
import { Candidates, edgesIn } from './candidates.ts'
import { excessAt, type Family, type Member, sideOf } from './family.ts'
import { type Cut, kept, type Side, type Span } from './kept.ts'
import { RangeCounts } from './range-counts.ts'
import { tailBound } from './tail-bound.ts'

/** An excess nearer to 0 than this many standard deviations decides nothing at this doubt or less: a half-width is always wider. */
const unclear = { deviations: 1.7, doubt: 0.06 }

/** Numbers of records are off by more standard deviations than this in less than one of a hundred cases. */
const surely = 3

/** One quantile in one group. */
export interface Target {
  readonly member: Member
  readonly group: number
}

/** What the history says about a family's quantiles, as it stands now. */
export class Reading {
  readonly #family: Family
  readonly #knowledge: Session['knowledge']
  readonly #candidates: Candidates
  /** The family's own counts, if there is nothing else or if there are groups: much faster than asking the history. */
  readonly #counts: RangeCounts | undefined
  readonly #groups: number
  readonly #known = new Map<string, readonly Known[] | undefined>()

  constructor(family: Family, { book, knowledge }: Pick<Session, 'book' | 'knowledge'>) {
    this.#family = family
    this.#knowledge = knowledge
    this.#groups = answerSize(family.records, book.universe)
    const counts = RangeCounts.in(book, family, this.#groups)
    this.#counts = counts && (this.#groups > 1 || counts.isAll(book)) ? counts : undefined
    this.#candidates = new Candidates(family, this.#counts?.cuts ?? edgesIn(book, family))
  }

  /** About how many records have a value. */
  records(group: number): number | undefined {
    if (this.#counts) return this.#counts.records(group)
    return this.#remember('records', () => this.#knowledge.about(this.#family.records))?.[group]?.estimate
  }

  /** The same, with how far off that may be: unlimited if nothing is known, or there is only one group. */
  size(group: number): GroupSize {
    const counts = this.#counts
    if (!counts) return { size: 0, off: Number.POSITIVE_INFINITY }
    return { size: Math.max(0, counts.records(group)), off: surely * counts.deviation }
  }

  excess(member: Member, cut: number): readonly Known[] | undefined {
    const share = toNumber(member.quantile.share)
    const counts = this.#counts
    return this.#remember(`${member.index} ${cut}`, () => {
      if (!counts) return this.#knowledge.about(excessAt(member.quantile, cut))
      if (!counts.cuts.includes(cut)) return undefined
      return Array.from({ length: this.#groups }, (_, group) => counts.excess(cut, share, group))
    })
  }

  /**
   * The values that are compatible with the history, each target's by itself, of those that were left before. Where none is, noise
   * had ruled out too much before: then of all values.
   */
  narrowed(targets: readonly Target[], spans: readonly Span[], doubt: number): Span[] {
    const whole = { after: this.#family.from - 1, upTo: this.#family.to }
    const levels = this.#candidates.levels
    let now = [...spans]
    for (let level = 0; level < levels; level++) {
      const cuts = this.#candidates.within(now)
      now = targets.map((target, i) => this.#keptBy(target, now[i]!, cuts, doubt / levels) ?? whole)
    }
    const lost = now.map((span, i) => span === whole && spans[i] !== whole)
    if (!lost.includes(true)) return now
    const cuts = this.#candidates.within([whole])
    return now.map((span, i) => (lost[i] ? (this.#keptBy(targets[i]!, whole, cuts, doubt / levels) ?? whole) : span))
  }

  #keptBy(target: Target, span: Span, cuts: readonly number[], doubt: number): Span | undefined {
    const near = cuts.filter((cut) => cut > span.after && cut < span.upTo)
    const ends = [span.after, span.upTo].filter((cut) => cut >= this.#family.from && cut < this.#family.to)
    return kept(span, this.#cutsOf(target, [...near, ...ends], doubt))
  }

  /** The cuts inside of a span, and at its ends, with the estimated excess and no word on sides. */
  around({ member, group }: Target, span: Span): Pick<Cut, 'at' | 'excess'>[] {
    const cuts = [span.after, ...this.#candidates.within([span]), span.upTo]
    return cuts.flatMap((at) => {
      const known = at < this.#family.from || at >= this.#family.to ? undefined : this.excess(member, at)?.[group]
      return known ? [{ at, excess: known.estimate }] : []
    })
  }

  /** Whether the history says anything at some cut. That depends on its noise, not on its answers. */
  hasEvidence(member: Member): boolean {
    const { from, to } = this.#family
    return this.#candidates
      .within([{ after: from - 1, upTo: to }])
      .some((cut) => this.excess(member, cut) !== undefined)
  }

  /** The standard deviation of what is known at the cut that is nearest to a place. */
  nearest(target: Target, place: number): number | undefined {
    const { from, to } = this.#family
    const cuts = this.around(target, { after: from - 1, upTo: to })
    if (cuts.length === 0) return undefined
    const { at } = cuts.reduce((a, b) => (Math.abs(b.at - place) < Math.abs(a.at - place) ? b : a))
    return Math.sqrt(this.excess(target.member, at)![target.group]!.made.variance)
  }

  #cutsOf({ member, group }: Target, cuts: readonly number[], doubt: number): Cut[] {
    return cuts.flatMap((at): Cut[] => {
      const known = this.excess(member, at)?.[group]
      return known
        ? [
            {
              at,
              excess: known.estimate,
              side: remembered((sharing) => side(member, known, doubt / sharing)),
              deviation: Math.sqrt(known.made.variance),
            },
          ]
        : []
    })
  }

  #remember(key: string, read: () => readonly Known[] | undefined): readonly Known[] | undefined {
    if (!this.#known.has(key)) this.#known.set(key, read())
    return this.#known.get(key)
  }
}

/** The same numbers are asked for again and again. */
function remembered(sideOf: (sharing: number) => Side): Cut['side'] {
  const found: { side: Side }[] = []
  return (sharing) => {
    found[sharing] ??= { side: sideOf(sharing) }
    return found[sharing].side
  }
}

/** Each side is wrong with at most half of the doubt. */
function side({ quantile }: Member, { estimate, made, errorLaw }: Known, doubt: number): Side {
  const deviation = Math.sqrt(made.variance)
  if (doubt <= unclear.doubt && Math.abs(estimate) < unclear.deviations * deviation) return undefined
  // If a bound is enough, the distribution of the error need not be computed.
  const far = tailBound(made.coefficients, made.variance, doubt) + made.rounding.estimate
  const wide = sideOf(quantile, estimate - far, estimate + far)
  if (wide) return wide
  const half = errorLaw().halfWidth(1 - doubt)
  return sideOf(quantile, estimate - half, estimate + half)
}
